import type { ConfigurationHistory, SqlReader, Subject, TimelinePage } from '@laurel/contracts';
import { userRecordOf } from '@laurel/engine';
import type { EventLookup } from '@laurel/event-store';
import { effectsByArea, type EffectsRow } from './stored-effects.ts';

export interface TimelineParts {
  readonly sql: SqlReader;
  readonly log: Pick<EventLookup, 'readAt'>;
  readonly configurations: (account: string) => ConfigurationHistory;
}

export interface AskedTimeline {
  /** Only events below this position; null: from the newest on. */
  readonly before: number | null;
  readonly limit: number;
}

/** Backwards through the primary key of `effects`. */
const EFFECTS_BELOW = `
select position, occurred_at, users, streaks, achievements, points from effects
where subject = $1 and position < $2 order by position desc limit $3`;

/** One statement for the effects and one read of the log, however many events there are. */
export async function userTimeline(
  { sql, log, configurations }: TimelineParts,
  account: string,
  subject: Subject,
  { before, limit }: AskedTimeline,
): Promise<TimelinePage> {
  const parameters = [subject, before ?? Number.MAX_SAFE_INTEGER, limit + 1];
  const rows = await sql.query<EffectsRow & { readonly position: string }>(EFFECTS_BELOW, parameters);
  const shown = new Map(rows.slice(0, limit).map((row) => [Number(row.position), row]));
  const records = shown.size === 0 ? [] : await log.readAt([...shown.keys()]);
  const history = configurations(account);
  const entries = records.toReversed().flatMap((record) => {
    const row = shown.get(record.position);
    if (row === undefined) return [];
    const effects = effectsByArea(row, history.at(record.configurationVersion));
    return [{ record: userRecordOf(record, subject), effects }];
  });
  return { entries, next: rows.length > limit ? Math.min(...shown.keys()) : null };
}
