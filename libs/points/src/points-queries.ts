import { bucketsBetween, type Instant } from '@laurel/calendar';
import type {
  Configuration,
  ConfigurationHistory,
  LevelUsers,
  PointsBucket,
  PointsRange,
  PointsReads,
  PointsSystemDefinition,
  SqlReader,
  StateReader,
  StoredAward,
} from '@laurel/contracts';
import { storedDueAward } from './awards.ts';
import { EXPORTED_AWARDS, type ExportedAward, exportedAwards, type RecordedAwards } from './exported-awards.ts';
import { decodePoints } from './points-state-codec.ts';
import { added, NO_CHANGES } from './rules/dated-changes.ts';
import { dueChanges } from './rules/due-changes.ts';
import { newestTimeAwards } from './rules/newest-time-awards.ts';
import type { KnownPoints } from './rules/points-state.ts';
import { debtOf, tallyAt } from './rules/settle.ts';
import type { TimeAward } from './rules/time-awards.ts';
import { newestAwards, recordedChanges } from './stored-awards.ts';
import { usersByBound, usersByRange } from './users-by-total.ts';

type SummaryQuery = Parameters<PointsReads['summary']>[4];

/** One system of one user as an operator's export shows it. */
export interface PointsExport extends RecordedAwards {
  readonly total: bigint;
}

/** Below every position of the log. */
const NOTHING_RECORDED = -1;

/**
 * Reads of a user's points. Every read takes the state first and then only awards up to the state's position, so that the two
 * fit together however many records are committed in between. What is due and not yet recorded is worked out of the state.
 */
export class PointsQueries implements PointsReads {
  constructor(
    private readonly sql: SqlReader,
    private readonly states: StateReader,
    private readonly configurations: (account: string) => ConfigurationHistory,
  ) {}

  async total(account: string, userId: string, system: string, at: Instant): Promise<bigint> {
    const state = await this.stateOf(account, userId);
    return state ? tallyAt(state, this.definition(account, system), at).total : 0n;
  }

  async awards(account: string, userId: string, system: string, at: Instant, limit: number): Promise<StoredAward[]> {
    const state = await this.stateOf(account, userId);
    if (!state) return [];
    const due = newestDue(state, this.definition(account, system), at, limit)
      .map((award) => storedDueAward(account, userId, { ...award, system }))
      .reverse();
    const recorded = { account, userId, system, position: state.position };
    return [...due, ...(await newestAwards(this.sql, recorded, limit - due.length))];
  }

  async summary(
    account: string,
    userId: string,
    system: string,
    at: Instant,
    query: SummaryQuery,
  ): Promise<readonly PointsBucket[]> {
    const rule = { frequency: query.aggregation, weekStart: this.configuration(account).weekStart };
    const state = await this.stateOf(account, userId);
    if (!state) return bucketsBetween(query, rule, NO_CHANGES);
    const recorded = await recordedChanges(this.sql, { account, userId, system, position: state.position }, query);
    const due = dueChanges(debtOf(state, this.definition(account, system), at), state.zone, query);
    return bucketsBetween(query, rule, added(recorded, due));
  }

  async usersByLevel(account: string, system: string): Promise<readonly LevelUsers[]> {
    const { levels } = this.definition(account, system);
    const bounds = levels.map(({ points }) => points);
    const [, ...users] = await usersByBound(this.sql, account, system, bounds);
    return levels.map((level, index) => ({ level, users: users[index] ?? 0 }));
  }

  usersByRange(account: string, system: string): Promise<readonly PointsRange[]> {
    return usersByRange(this.sql, account, system);
  }

  /** For each configured system the total and awards of one user, due ones up to `at` included. */
  async exportOf(account: string, userId: string, at: Instant): Promise<ReadonlyMap<string, PointsExport>> {
    const exported = await this.exportMany(account, [userId], at);
    return exported.get(userId) ?? new Map();
  }

  /** {@link exportOf} for some hundreds of users with one query for their awards: user → system → export. */
  async exportMany(
    account: string,
    userIds: readonly string[],
    at: Instant,
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, PointsExport>>> {
    const { pointsSystems } = this.configuration(account);
    const users = await Promise.all(
      userIds.map(async (userId) => ({ userId, state: await this.stateOf(account, userId) })),
    );
    const asked = users.map(({ userId, state }) => ({ userId, position: state?.position ?? NOTHING_RECORDED }));
    const keys = pointsSystems.map(({ key }) => key);
    const recorded = await exportedAwards(this.sql, account, asked, keys);
    const exportsOf = ({ userId, state }: (typeof users)[number]) =>
      pointsSystems.map((definition): [string, PointsExport] => [
        definition.key,
        withDue(recorded(userId, definition.key), state, definition, at),
      ]);
    return new Map(users.map((user) => [user.userId, new Map(exportsOf(user))]));
  }

  private async stateOf(account: string, userId: string): Promise<KnownPoints | null> {
    const state = decodePoints(await this.states.read(account, userId, 'points'));
    return state.kind === 'known' ? state : null;
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

function newestDue(state: KnownPoints, definition: PointsSystemDefinition, at: Instant, limit: number): TimeAward[] {
  const { schedule, window, total } = debtOf(state, definition, at);
  return newestTimeAwards(schedule, window, total, limit);
}

function withDue(
  recorded: RecordedAwards,
  state: KnownPoints | null,
  definition: PointsSystemDefinition,
  at: Instant,
): PointsExport {
  if (!state) return { total: 0n, ...recorded };
  const due = tallyAt(state, definition, at);
  const last = [...recorded.last, ...newestDue(state, definition, at, EXPORTED_AWARDS).map(exportedAward)];
  return { total: due.total, awards: recorded.awards + due.awards, last: last.slice(-EXPORTED_AWARDS) };
}

function exportedAward({ at, awarded, total }: TimeAward): ExportedAward {
  return { at, awarded, total };
}
