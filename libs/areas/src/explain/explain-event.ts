import type {
  ConfigurationHistory,
  Effect,
  EffectsByArea,
  ExplainedEvent,
  LogRecord,
  Subject,
} from '@laurel/contracts';
import type { EventLookup } from '@laurel/event-store';
import { rankChangesAt } from '@laurel/leaderboards';
import type { UserQueries } from '@laurel/users';
import { daysOf, runsOf } from './runs-of-record.ts';
import { effectsByArea, readersOfEffects, storedEffects, type SqlOfArea } from './stored-effects.ts';

export interface EventParts {
  readonly sqlOf: SqlOfArea;
  readonly log: Pick<EventLookup, 'find'>;
  readonly users: Pick<UserQueries, 'zonesAt'>;
  readonly configurations: (account: string) => ConfigurationHistory;
}

/** Users of a sweep whose effects are shown. */
const USERS_SHOWN = 20;
/** Runs that are looked at for the ranks that the event changed. */
const RUNS_SHOWN = 100;

/**
 * The event and its stored effects: four statements, whatever it caused, and one more for each further schema that areas store theirs in.
 * null: the account has no such event.
 */
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
  const [stored, zones] = await Promise.all([
    storedEffects(
      readersOfEffects(parts.sqlOf),
      shown.map((subject) => ({ subject, position })),
    ),
    parts.users.zonesAt(shown.map((subject) => ({ account, subject, position }))),
  ]);
  const configuration = parts.configurations(account).at(record.configurationVersion);
  const effects = stored.map((row) => row && effectsByArea(row, configuration));
  const runs = shown.flatMap((subject, place) =>
    runsOf(subject, daysOf(record, zones[place] ?? 'UTC', inOrder(effects[place])), configuration),
  );
  const ranks = await rankChangesAt(parts.sqlOf('leaderboards'), position, runs.slice(0, RUNS_SHOWN));
  const caused = shown.map((subject, place) => ({
    subject,
    effects: [...inOrder(effects[place]), ...(ranks.get(subject) ?? [])],
    pointsLeftOut: effects[place]?.pointsLeftOut ?? 0,
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
