import type { Subject } from '@laurel/kernel';
import type { ExplainReads, TimelinePage } from '@laurel/ports';
import { correctionsOfEvents, recordedUserEventOf } from '@laurel/engine';
import { effectsByArea, mergedEffects, readersOfEffects, storedEffects, type EffectsRow } from '@laurel/stored-effects';
import type { ExplainerDependencies } from './explainer-dependencies.ts';

/** Reads backwards through the primary key of `effects`. */
const EFFECTS_BELOW = `
select position, occurred_at, users, streaks, achievements, points from effects
where subject = $1 and position < $2 order by position desc limit $3`;

/**
 * Lists the events that the users area has applied: it is the first to apply one. Takes one statement for the effects, one more for each
 * further schema in which areas store effects, and two reads of the log, however many events there are.
 * @param page only events below `before`; null for the newest
 */
export async function userTimeline(
  { sqlOf, log, configurations }: ExplainerDependencies,
  account: string,
  subject: Subject,
  { before, limit }: Parameters<ExplainReads['timeline']>[2],
): Promise<TimelinePage> {
  const [first, ...others] = readersOfEffects(sqlOf);
  const parameters = [subject, before ?? Number.MAX_SAFE_INTEGER, limit + 1];
  const rows = (await first?.query<EffectsRow & { readonly position: string }>(EFFECTS_BELOW, parameters)) ?? [];
  const positions = rows.slice(0, limit).map(({ position }) => Number(position));
  const [records, further] = await Promise.all([
    positions.length === 0 ? [] : log.readAt(positions),
    storedEffects(
      others,
      positions.map((position) => ({ subject, position })),
    ),
  ]);
  const shown = new Map(
    positions.map((position, place) => [position, mergedEffects(further[place], rows[place] as EffectsRow)]),
  );
  const corrected = correctionsOfEvents(positions.length === 0 ? [] : await log.correctionsOf([subject]));
  const history = configurations(account);
  const entries = records.toReversed().flatMap((record) => {
    const row = shown.get(record.position);
    if (row === undefined) return [];
    const effects = effectsByArea(row, history.at(record.configurationVersion));
    return [
      { record: recordedUserEventOf(record, subject), corrected: corrected.get(record.position) ?? null, effects },
    ];
  });
  return { entries, next: rows.length > limit ? Math.min(...positions) : null };
}
