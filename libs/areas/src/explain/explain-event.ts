import type {
  ConfigurationHistory,
  Effect,
  EffectsByArea,
  ExplainedEvent,
  LogRecord,
  SqlReader,
  Subject,
} from '@laurel/contracts';
import type { EventLookup } from '@laurel/event-store';
import { rankChangesAt } from '@laurel/leaderboards';
import type { UserQueries } from '@laurel/users';
import { daysOf, runsOf } from './runs-of-record.ts';
import { effectsByArea, type EffectsRow } from './stored-effects.ts';

export interface EventParts {
  readonly sql: SqlReader;
  readonly log: Pick<EventLookup, 'find'>;
  readonly users: Pick<UserQueries, 'zonesAt'>;
  readonly configurations: (account: string) => ConfigurationHistory;
}

/** Users of a sweep whose effects are shown. */
const USERS_SHOWN = 20;
/** Runs that are looked at for the ranks that the event changed. */
const RUNS_SHOWN = 100;

const EFFECTS_AT = `
select subject, occurred_at, users, streaks, achievements, points from effects where subject = any($1::bigint[]) and position = $2`;

/** The event and its stored effects: four statements, whatever it caused. null: the account has no such event. */
export async function explainEvent(
  parts: EventParts,
  account: string,
  eventId: string,
): Promise<ExplainedEvent | null> {
  const record = await parts.log.find(account, eventId);
  if (record === null) return null;
  const subjects = subjectsOf(record);
  const shown = subjects.slice(0, USERS_SHOWN);
  if (shown.length === 0) return { record, users: 0, caused: [] };
  const { position } = record;
  const [rows, zones] = await Promise.all([
    parts.sql.query<EffectsRow & { readonly subject: string }>(EFFECTS_AT, [shown, position]),
    parts.users.zonesAt(shown.map((subject) => ({ account, subject, position }))),
  ]);
  const configuration = parts.configurations(account).at(record.configurationVersion);
  const effects = new Map(rows.map((row) => [Number(row.subject), effectsByArea(row, configuration)]));
  const runs = shown.flatMap((subject, place) =>
    runsOf(subject, daysOf(record, zones[place] ?? 'UTC', inOrder(effects.get(subject))), configuration),
  );
  const ranks = await rankChangesAt(parts.sql, position, runs.slice(0, RUNS_SHOWN));
  const caused = shown.map((subject) => ({
    subject,
    effects: [...inOrder(effects.get(subject)), ...(ranks.get(subject) ?? [])],
    pointsLeftOut: effects.get(subject)?.pointsLeftOut ?? 0,
  }));
  return { record, users: subjects.length, caused };
}

/** Those of all areas, in the order in which the areas apply an event. */
const inOrder = (effects: EffectsByArea | undefined): readonly Effect[] =>
  effects === undefined ? [] : [...effects.users, ...effects.streaks, ...effects.achievements, ...effects.points];

function subjectsOf({ fact }: LogRecord): readonly Subject[] {
  if (fact.type === 'UsersSwept') return fact.subjects;
  return 'subject' in fact ? [fact.subject] : [];
}
