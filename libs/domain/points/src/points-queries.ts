import { add } from '@laurel/amounts';
import { bucketsBetween, type DateRange, type Instant } from '@laurel/calendar';
import {
  perConfiguration,
  type Boost,
  type StateUnderPlan,
  type Configuration,
  type ConfigurationHistory,
  type PointsStanding,
  type PointsSystemDefinition,
  type SqlReader,
  type StateReader,
  type Subject,
  type UserRef,
  type PointsRange,
} from '@laurel/kernel';
import type {
  LevelReached,
  LevelUsers,
  PointsBucket,
  PointsDayCounts,
  PointsReads,
  StoredAward,
  UserReads,
} from '@laurel/ports';
import { unrecordedAward } from './awards.ts';
import { pointDayCounts } from './day-counts.ts';
import { awardsOfUser, everyAward, type InstantRange, type RecordedAward } from './every-award.ts';
import { EXPORTED_AWARDS, type ExportedAward, exportedAwards, type RecordedAwards } from './exported-awards.ts';
import { usersOnLevel, type LevelPage } from './levels.ts';
import { added, NO_CHANGES } from './rules/due/dated-changes.ts';
import { dueChanges } from './rules/due/due-changes.ts';
import { newestTimeAwards } from './rules/due/newest-time-awards.ts';
import { tallyOf, type Tally } from './rules/due/tally.ts';
import type { Debt, TimeAward } from './rules/due/time-awards.ts';
import { readStateAndChanges } from './points-months.ts';
import { boostsHeld } from './rules/own-boosts.ts';
import { standingByKey } from './rules/points-by-system.ts';
import { systemAt, type PointsPlan, type SystemPlan } from './rules/points-plan.ts';
import { debtOf, pointsRules } from './rules/points.ts';
import type { PointsState } from './rules/points-state.ts';
import { awardsBefore, newestAwards, type AwardsPage, type KnownNames, type PlacedAward } from './stored-awards.ts';
import { usersByBound, usersByRange, type SystemTotals } from './users-by-total.ts';

type SummaryQuery = Parameters<PointsReads['summary']>[3];

/** One system of one user as an operator's export shows it. */
export interface PointsExport extends RecordedAwards {
  readonly total: bigint;
  /** null unless levels of the system follow it. */
  readonly earned: bigint | null;
}

const planOf = perConfiguration((configuration) => pointsRules.compile(configuration));

/** A position before every position of the log. */
const NOTHING_RECORDED = -1;

/**
 * Reads points. A read of awards takes the state first and then only awards up to the state's position, so that the two agree however many
 * events are committed in between; a summary reads both in one statement. Awards that are due but not recorded follow from the state.
 */
export class PointsQueries implements PointsReads {
  constructor(
    private readonly sql: SqlReader,
    private readonly states: Pick<StateReader, 'read'>,
    private readonly configurations: (account: string) => ConfigurationHistory,
    private readonly users: Pick<UserReads, 'count'>,
  ) {}

  async standing(account: string, subject: Subject, system: string, at: Instant): Promise<PointsStanding<bigint>> {
    return standingIn(await this.find(account, subject), system, at);
  }

  /** {@link standing} in every configured system, in configuration order, in one statement. */
  async standingsBySystem(
    account: string,
    subject: Subject,
    at: Instant,
  ): Promise<ReadonlyMap<string, PointsStanding<bigint>>> {
    const plan = planOf(this.configuration(account));
    const user = await this.find(account, subject, plan);
    return new Map(plan.systems.map(({ key }) => [key, standingIn(user, key, at)]));
  }

  async boosts({ account, subject }: UserRef, system: string): Promise<readonly Boost[]> {
    const user = await this.find(account, subject);
    return user?.state.systems[placeOf(user.plan, system)]?.boosts ?? [];
  }

  /** The number of the user's own boosts in a system, configured or not, that are not finished. */
  async boostsHeld({ account, subject }: UserRef, system: string, at: Instant): Promise<number> {
    const user = await this.find(account, subject);
    return user === null ? 0 : boostsHeld(user.state, user.plan, system, at);
  }

  async awards({ account, subject }: UserRef, system: string, at: Instant, limit: number): Promise<StoredAward[]> {
    const user = await this.find(account, subject);
    if (!user) return [];
    const due = newestTimeAwards(debtIn(user, system, at), limit)
      .map((award) => unrecordedAward(award))
      .reverse();
    const recorded = { subject, system, position: user.state.position };
    return [...due, ...(await newestAwards(this.sql, recorded, limit - due.length, this.names(account)))];
  }

  /** The recorded total, the points that are due but not recorded, and a page of awards, all from the same state. */
  async recorded(
    { account, subject }: UserRef,
    system: string,
    at: Instant,
    page: AwardsPage,
  ): Promise<RecordedPoints & { readonly awards: readonly PlacedAward[] }> {
    const user = await this.find(account, subject);
    if (!user) return { ...NOTHING_GIVEN, awards: [] };
    const asked = { subject, system, position: user.state.position };
    const awards = await awardsBefore(this.sql, asked, page, this.names(account));
    return { ...recordedIn(user, system, at), awards };
  }

  async summary(
    { account, subject }: UserRef,
    system: string,
    at: Instant,
    query: SummaryQuery,
  ): Promise<readonly PointsBucket[]> {
    const configuration = this.configuration(account);
    const plan = planOf(configuration);
    const key = { subject, number: configuration.names.systems.numberOf(system) };
    const recorded = await readStateAndChanges(this.sql, account, key, query);
    const rule = { frequency: query.aggregation, weekStart: configuration.weekStart };
    const user = knownUser(recorded.state, plan);
    if (!user) return bucketsBetween(query, rule, NO_CHANGES);
    const due = dueChanges(debtIn(user, system, at), user.state.zone, query);
    return bucketsBetween(query, rule, added(recorded.changes, due));
  }

  dayCounts(account: string, systems: readonly string[], range: DateRange): Promise<readonly PointsDayCounts[]> {
    return pointDayCounts(this.sql, account, systems, range);
  }

  async usersByLevel(account: string, system: string): Promise<readonly LevelUsers[]> {
    const { levels, levelsBy } = this.definition(account, system);
    const bounds = levels.map(({ points }) => points);
    const users = await usersByBound(this.totals(account, system), bounds, levelsBy);
    return levels.map((level, index) => ({ level, users: users[index] ?? 0 }));
  }

  /**
   * Users on a level of a configured system as of their last event, newest first, then by subject; only users after `after`. Includes
   * users of other accounts: the directory knows the account of a subject.
   */
  usersOnLevel(account: string, system: string, level: string, page: LevelPage): Promise<readonly LevelReached[]> {
    const number = this.configuration(account).names.systems.numberOf(system);
    return usersOnLevel(this.sql, number, level, page);
  }

  usersByRange(account: string, system: string): Promise<readonly PointsRange[]> {
    return usersByRange(this.totals(account, system));
  }

  /** The total and awards of one user in each configured system, including awards due up to `at`. */
  async exportOf(account: string, subject: Subject, at: Instant): Promise<ReadonlyMap<string, PointsExport>> {
    const exported = await this.exportMany(account, [subject], at);
    return exported.get(subject) ?? new Map();
  }

  /** {@link exportOf} for several hundred users, with one query for their awards. */
  async exportMany(
    account: string,
    subjects: readonly Subject[],
    at: Instant,
  ): Promise<ReadonlyMap<Subject, ReadonlyMap<string, PointsExport>>> {
    const plan = planOf(this.configuration(account));
    const users = await Promise.all(
      subjects.map(async (subject) => ({ subject, user: await this.find(account, subject, plan) })),
    );
    const asked = users.map(({ subject, user }) => ({ subject, position: user?.state.position ?? NOTHING_RECORDED }));
    const keys = plan.systems.map(({ key }) => key);
    const recorded = await exportedAwards(this.sql, asked, keys, this.names(account));
    const exportsOf = ({ subject, user }: (typeof users)[number]) =>
      keys.map((key, place): [string, PointsExport] => [
        key,
        withDue(recorded(subject, key), user, systemAt(plan, place), at),
      ]);
    return new Map(users.map((user) => [user.subject, new Map(exportsOf(user))]));
  }

  /** Every recorded award of a user: see {@link awardsOfUser}. */
  awardsOfUser(account: string, subject: Subject): AsyncGenerator<readonly RecordedAward[], void> {
    return awardsOfUser(this.sql, { account, subject }, this.names(account));
  }

  /** Every recorded award: see {@link everyAward}. */
  everyAward(account: string, range: InstantRange): AsyncGenerator<readonly RecordedAward[], void> {
    return everyAward(this.sql, account, range, this.names(account));
  }

  private async find(
    account: string,
    subject: Subject,
    plan = planOf(this.configuration(account)),
  ): Promise<KnownUser | null> {
    return knownUser(await this.states.read(account, subject, 'points'), plan);
  }

  private names(account: string): KnownNames {
    return () => this.configuration(account).names;
  }

  private totals(account: string, system: string): SystemTotals {
    return { sql: this.sql, account, system, countUsers: () => this.users.count(account) };
  }

  private configuration(account: string): Configuration {
    return this.configurations(account).current;
  }

  private definition(account: string, system: string): PointsSystemDefinition {
    const definition = this.configuration(account).pointsSystemByKey.get(system);
    if (definition === undefined) throw new RangeError(`no such points system: ${system}`);
    return definition;
  }
}

/** Uses the plan that decoded the state: another version may be published while a read waits for the database. */
type KnownUser = StateUnderPlan<PointsState, PointsPlan>;

/** null if nothing is recorded for the user. */
function knownUser(stored: unknown, plan: PointsPlan): KnownUser | null {
  const state = pointsRules.decode(stored, plan);
  return state.position === 0 ? null : { state, plan };
}

/** A user's points in a system. */
export interface RecordedPoints {
  readonly recorded: bigint;
  /** Time awards that are due but not recorded. */
  readonly due: bigint;
  /** What the user has earned, due time awards included. */
  readonly earned: bigint;
}

const NOTHING_GIVEN: RecordedPoints = { recorded: 0n, due: 0n, earned: 0n };

/** @param stored the encoded state of the points area */
export function recordedPoints(
  stored: unknown,
  configuration: Configuration,
  system: string,
  at: Instant,
): RecordedPoints {
  const user = knownUser(stored, planOf(configuration));
  return user === null ? NOTHING_GIVEN : recordedIn(user, system, at);
}

/** @param stored the encoded state of the points area */
export function recordedStanding(stored: unknown, configuration: Configuration, system: string): PointsStanding {
  const plan = planOf(configuration);
  return standingByKey(pointsRules.decode(stored, plan), plan, system);
}

function recordedIn(user: KnownUser, system: string, at: Instant): RecordedPoints {
  const debt = debtIn(user, system, at);
  const { total, earned } = standingAfter(tallyOf(debt), user, system);
  return { recorded: BigInt(debt.total), due: total - BigInt(debt.total), earned };
}

/** Time awards that are due but not recorded included. */
function standingIn(user: KnownUser | null, system: string, at: Instant): PointsStanding<bigint> {
  return user === null ? { total: 0n, earned: 0n } : standingAfter(tallyOf(debtIn(user, system, at)), user, system);
}

/** @param tally of the time awards that are due but not recorded */
function standingAfter({ total, earned }: Tally, { state, plan }: KnownUser, system: string): PointsStanding<bigint> {
  const recorded = state.systems[placeOf(plan, system)]?.earned ?? 0;
  return { total: BigInt(total), earned: BigInt(add(recorded, earned)) };
}

/** The time awards that a system owes the user and has not recorded. */
const debtIn = ({ state, plan }: KnownUser, system: string, at: Instant): Debt =>
  debtOf(state, placeOf(plan, system), plan, at);

function placeOf({ systemByKey }: PointsPlan, system: string): number {
  const place = systemByKey.get(system);
  if (place === undefined) throw new RangeError(`no such points system: ${system}`);
  return place;
}

function withDue(
  recorded: RecordedAwards,
  user: KnownUser | null,
  { key, levelsBy }: SystemPlan,
  at: Instant,
): PointsExport {
  const shown = ({ total, earned }: PointsStanding<bigint>) => ({
    total,
    earned: levelsBy === 'earned' ? earned : null,
  });
  if (user === null) return { ...shown({ total: 0n, earned: 0n }), ...recorded };
  const debt = debtIn(user, key, at);
  const tally = tallyOf(debt);
  const last = [...recorded.last, ...newestTimeAwards(debt, EXPORTED_AWARDS).map(exportedAward)];
  const standing = shown(standingAfter(tally, user, key));
  return { ...standing, awards: recorded.awards + tally.awards, last: last.slice(-EXPORTED_AWARDS) };
}

const exportedAward = ({ at, awarded, total }: TimeAward): ExportedAward => ({
  at,
  awarded: BigInt(awarded),
  total: BigInt(total),
});
