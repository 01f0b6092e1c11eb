import { parseDay, formatDay } from '@laurel/calendar';
import {
  groupBy,
  makesOutcomes,
  type ConfigurationHistory,
  type Effect,
  type RankChanged,
  type Subject,
  type RecordedUserEvent,
} from '@laurel/kernel';
import type { DatedProfile, Directory, StreakReads } from '@laurel/ports';
import { userAnswer, type UserAnswer } from '@laurel/schemas';
import { runHolding } from '@laurel/contributions';
import { rankChangesOfRecords, topsOfRecords } from '@laurel/leaderboards';
import type { RecentEvents } from '@laurel/engine';
import type { Caused, Ranked, RanksQuery } from '@laurel/outgoing';
import { firedAwardId, recordedPoints } from '@laurel/points';
import type { UserQueries } from '@laurel/users';
import { daysOf, runsOf } from '../runs-of-record.ts';
import { effectsByArea, effectsInOrder, readersOfEffects, storedEffects, type SqlOfArea } from '../stored-effects.ts';

export interface CausedDependencies {
  /** Effects in memory; absent to read all of them from the tables. */
  readonly recentEvents?: Pick<RecentEvents, 'effectsOf'>;
  readonly sqlOf: SqlOfArea;
  readonly directory: Pick<Directory, 'idsOf'>;
  readonly users: Pick<UserQueries, 'zonesAt'> & {
    profiles(account: string, subjects: readonly Subject[]): Promise<ReadonlyMap<Subject, DatedProfile>>;
  };
  readonly streaks: Pick<StreakReads, 'lengths'>;
  readonly configurations: (account: string) => ConfigurationHistory;
}

/**
 * Reads the effects of events, from which outcomes are made. Takes at most ten statements, however many events there are, and one more for
 * each area with tables of its own.
 * @returns null for an event that makes no outcome, or whose user is erased
 */
export async function causedEffects(
  dependencies: CausedDependencies,
  account: string,
  records: readonly RecordedUserEvent[],
  ranks: RanksQuery,
): Promise<readonly (Caused | null)[]> {
  const { directory, users, configurations } = dependencies;
  const history = configurations(account);
  const effects = await effectsOf(dependencies, account, records, ranks);
  const notified = records.filter((record, place) => isNotified(record, effects[place] ?? [], history));
  if (notified.length === 0) return records.map(() => null);
  const distinct = [...new Set(notified.map(({ fact: { subject } }) => subject))];
  const [ids, profiles, tops, standings] = await Promise.all([
    directory.idsOf(account, distinct),
    users.profiles(account, distinct),
    ranks === 'tops' ? topsOf(dependencies, account, notified) : NO_TOPS,
    standingsOf(dependencies, account, records, effects),
  ]);
  return records.map((record, place) => {
    const userId = ids.get(record.fact.subject);
    const profile = profiles.get(record.fact.subject);
    if (userId === undefined || profile === undefined) return null;
    const { leaderboardByKey } = history.at(record.configurationVersion);
    return {
      userId,
      profile,
      effects: effects[place] ?? [],
      standing: standings.get(record.fact.subject) ?? null,
      awardIdOf: ({ triggerId, system }) => firedAwardId(record.eventId, triggerId, system),
      runEndOf: ({ board, run }) => {
        const definition = leaderboardByKey.get(board);
        return definition === undefined ? null : (runHolding(definition, formatDay(run))?.end ?? null);
      },
      topOf: ({ board, run }) => tops.get(topName(record, board, formatDay(run))) ?? [],
    };
  });
}

/** Whether the event makes an outcome; a correction always does. */
function isNotified(
  { configurationVersion, fact }: RecordedUserEvent,
  effects: readonly Effect[],
  history: ConfigurationHistory,
): boolean {
  if (fact.type === 'CorrectionRecorded') return true;
  const { outgoing = null } = history.at(configurationVersion);
  return outgoing !== null && makesOutcomes(outgoing.effects, effects);
}

/** The effects of each event: from memory if they are there, otherwise from the tables. */
async function effectsOf(
  dependencies: CausedDependencies,
  account: string,
  records: readonly RecordedUserEvent[],
  ranks: RanksQuery,
): Promise<readonly (readonly Effect[])[]> {
  const recent = records.map(({ position, fact }) => dependencies.recentEvents?.effectsOf(position, fact.subject));
  const others = records.filter((_, place) => recent[place] === undefined);
  const stored = (await storedEffectsOf(dependencies, account, others, ranks)).values();
  return recent.map((emitted) => {
    if (emitted === undefined) return stored.next().value ?? [];
    return ranks === 'none' ? emitted.filter(({ type }) => type !== 'RankChanged') : emitted;
  });
}

async function storedEffectsOf(
  dependencies: CausedDependencies,
  account: string,
  records: readonly RecordedUserEvent[],
  ranks: RanksQuery,
): Promise<readonly (readonly Effect[])[]> {
  if (records.length === 0) return [];
  const asked = records.map(({ fact: { subject }, position }) => ({ subject, position }));
  const stored = await storedEffects(readersOfEffects(dependencies.sqlOf), asked);
  const history = dependencies.configurations(account);
  const effects = records.map((record, place) => {
    const row = stored[place];
    return row ? effectsInOrder(effectsByArea(row, history.at(record.configurationVersion), Infinity)) : [];
  });
  if (ranks === 'none') return effects;
  const changes = await ranksOf(dependencies, account, records, effects);
  const byPlace = groupBy(changes, ({ place }) => place);
  return effects.map((own, place) => [...own, ...(byPlace.get(place) ?? []).map(({ change }) => change)]);
}

type Tops = ReadonlyMap<string, readonly Ranked[]>;

const NO_TOPS: Tops = new Map();

const topName = ({ position, fact }: RecordedUserEvent, board: string, start: string): string =>
  `${position} ${fact.subject} ${start} ${board}`;

/** The tops of the runs that the records changed, with the present users. */
async function topsOf(
  dependencies: CausedDependencies,
  account: string,
  records: readonly RecordedUserEvent[],
): Promise<Tops> {
  const asked = records.map(({ fact: { subject }, position }) => ({ subject, position }));
  const found = await topsOfRecords(dependencies.sqlOf('leaderboards'), asked);
  const ranked = found.flatMap(({ top }) => top.map(({ subject }) => subject));
  if (ranked.length === 0) return NO_TOPS;
  const known = await knownUsers(dependencies, account, ranked);
  const { boards } = dependencies.configurations(account).current.names;
  return new Map(
    found.map(({ subject, position, board, start, top }) => [
      `${position} ${subject} ${start} ${boards.nameOf(board)}`,
      top.map((one) => ({ ...one, user: known.get(one.subject) ?? null })),
    ]),
  );
}

/** The present users; null for an erased user. */
export async function knownUsers(
  { directory, users }: Pick<CausedDependencies, 'directory' | 'users'>,
  account: string,
  asked: readonly Subject[],
): Promise<ReadonlyMap<Subject, UserAnswer | null>> {
  const subjects = [...new Set(asked)];
  if (subjects.length === 0) return new Map();
  const [ids, profiles] = await Promise.all([directory.idsOf(account, subjects), users.profiles(account, subjects)]);
  const userOf = (subject: Subject) => {
    const [id, profile] = [ids.get(subject), profiles.get(subject)];
    return id === undefined || profile === undefined ? null : userAnswer(id, profile);
  };
  return new Map(subjects.map((subject) => [subject, userOf(subject)]));
}

/** The standings of users to whom a recap is due. */
async function standingsOf(
  { sqlOf, streaks, configurations }: CausedDependencies,
  account: string,
  records: readonly RecordedUserEvent[],
  effects: readonly (readonly Effect[])[],
): Promise<ReadonlyMap<Subject, NonNullable<Caused['standing']>>> {
  const due = records.filter((_, place) => effects[place]?.some(({ type }) => type === 'RecapDue'));
  if (due.length === 0) return new Map();
  const subjects = [...new Set(due.map(({ fact }) => fact.subject))];
  const at = Math.max(...due.map(({ recordedAt }) => recordedAt));
  const { current } = configurations(account);
  const [lengths, rows] = await Promise.all([
    streaks.lengths(account, subjects, at),
    sqlOf('points').query<{ subject: string; points: unknown }>(POINTS_OF, [account, subjects]),
  ]);
  const stored = new Map(rows.map(({ subject, points }) => [Number(subject), points]));
  const totalOf = (subject: Subject, system: string) => {
    const { recorded, due } = recordedPoints(stored.get(subject) ?? null, current, system, at);
    return recorded + due;
  };
  return new Map(
    subjects.map((subject) => [
      subject,
      {
        points: new Map(current.pointsSystems.map(({ key }) => [key, totalOf(subject, key)])),
        streakLength: lengths.get(subject)?.length ?? 0,
      },
    ]),
  );
}

const POINTS_OF = `
select subject, points from user_states where account = $1 and subject = any($2::bigint[]) and points is not null`;

async function ranksOf(
  { sqlOf, users, configurations }: CausedDependencies,
  account: string,
  records: readonly RecordedUserEvent[],
  effects: readonly (readonly Effect[])[],
): Promise<readonly { readonly place: number; readonly change: RankChanged }[]> {
  const history = configurations(account);
  const zones = await users.zonesAt(records.map(({ fact: { subject }, position }) => ({ account, subject, position })));
  const asked = records.flatMap((record, place) => {
    const days = daysOf(record, zones[place] ?? 'UTC', effects[place] ?? []);
    const runs = runsOf(record.fact.subject, days, history.at(record.configurationVersion));
    return runs.map((run) => ({ ...run, position: record.position, place }));
  });
  const changes = await rankChangesOfRecords(sqlOf('leaderboards'), asked);
  return changes.map(({ asked: index, ...change }) => {
    const { place, board, start } = asked[index] as (typeof asked)[number];
    return { place, change: { ...change, board, run: parseDay(start) } };
  });
}
