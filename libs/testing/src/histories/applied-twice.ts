import { exactOf, formatMillionths } from '@laurel/amounts';
import {
  USER_AREAS,
  applyToUser,
  decodeStates,
  draftOf,
  dueAtOf,
  encodeStates,
  newUser,
  planOf,
  underPlan,
  type Plan,
  type UserStates,
} from '@laurel/areas';
import { formatDay, formatInstant } from '@laurel/calendar';
import { compileHistory } from '@laurel/configuration';
import {
  EffectList,
  type BoardsLayer,
  type Cause,
  type ChainMessage,
  type Configuration,
  type Effect,
  type LogRecord,
  type Occasion,
  type Reasons,
  type Sections,
  type UserFact,
  type UserSwept,
} from '@laurel/contracts';
import { LeaderboardsArea, type StandingsLayer } from '@laurel/leaderboards';
import { publicationsIn } from '@laurel/projections';
import { viewStreak } from '@laurel/streaks';
import { ACCOUNT } from './account.ts';

type UserRecord = LogRecord<UserFact | UserSwept>;

/** What one message of a log gave, in a form in which both ways of applying it can be compared. */
export interface Outcome {
  readonly position: number;
  readonly userId: string;
  readonly rows: readonly string[];
  readonly streak: unknown;
  readonly completed: readonly unknown[];
  readonly systems: readonly unknown[];
  readonly ranks: readonly unknown[];
  readonly states: unknown;
  readonly dueAt: unknown;
}

/** Every message of the log, with the configuration that it carries. */
function* messagesOf(records: readonly LogRecord[]): Generator<{ record: UserRecord; configuration: Configuration }> {
  const history = compileHistory(ACCOUNT, publicationsIn(records));
  for (const record of records) {
    const { fact } = record;
    const configuration = () => history.at(record.configurationVersion);
    switch (fact.type) {
      case 'MetricEventRecorded':
      case 'UserIdentified':
      case 'AchievementCompletedByCall':
        yield { record: { ...record, fact }, configuration: configuration() };
        break;
      case 'UsersSwept':
        for (const [place, userId] of fact.userIds.entries())
          yield { record: { ...record, fact: { type: 'UserSwept', userId, place } }, configuration: configuration() };
        break;
      case 'ImportOpened':
      case 'ImportClosed':
      case 'ConfigurationPublished':
    }
  }
}

const emptyBoards = () => new LeaderboardsArea({ query: () => Promise.resolve([]) });

/** The log through the areas' projections. */
export async function projected(records: readonly LogRecord[]): Promise<readonly Outcome[]> {
  const boards = emptyBoards();
  const states = new Map<string, unknown[]>();
  const outcomes: Outcome[] = [];
  for (const { record, configuration } of messagesOf(records)) {
    const { userId } = record.fact;
    const document = states.get(userId) ?? USER_AREAS.map((area) => area.initial());
    const rows: string[] = [];
    let message: ChainMessage = { record };
    for (const [index, area] of USER_AREAS.entries()) {
      const made = area.project(document[index], message, configuration);
      document[index] = made.state;
      message = { ...message, [area.name]: made.section };
      for (const [table, added] of made.rows) rows.push(...added.map((row) => rowText(table, row)));
    }
    states.set(userId, document);
    const layer = boards.openLayer(null);
    const missing = layer.missing(message, configuration);
    if (missing.length > 0) await boards.load(missing);
    const made = layer.project(message, configuration);
    layer.publish();
    for (const row of made.rows.get('board_rank_changes') ?? []) rows.push(rowText('board_rank_changes', row));
    message = { ...message, leaderboards: made.section };
    outcomes.push({
      position: record.position,
      userId,
      rows: rows.sort(),
      streak: message.streaks?.streak,
      completed: message.achievements?.completed ?? [],
      systems: message.points?.systems.map((system) => comparable(system)) ?? [],
      ranks:
        message.leaderboards?.boards.map(({ key, runStart, previousRank, rank }) => [
          key,
          runStart,
          previousRank,
          rank,
        ]) ?? [],
      states: sortedStates(
        Object.fromEntries(USER_AREAS.map((area, index) => [area.name, area.encode(document[index])])),
      ),
      dueAt: USER_AREAS.map((area, index) =>
        area.name === 'points' ? (area.dueAt?.(document[index], configuration) ?? null) : null,
      ),
    });
  }
  return outcomes;
}

/** How the rules are driven: whether states are stored and read between any two events, and how many share a draft. */
export interface Driving {
  readonly stored: boolean;
}

/** The log through the areas' rules. */
export async function applied(records: readonly LogRecord[], { stored }: Driving): Promise<readonly Outcome[]> {
  const boards = emptyBoards();
  const users = new Map<string, { states: UserStates; plan: Plan }>();
  const outcomes: Outcome[] = [];
  for (const { record, configuration } of messagesOf(records)) {
    const { userId } = record.fact;
    const plan = planOf(configuration);
    const known = users.get(userId) ?? { states: newUser(plan), plan };
    const before = JSON.stringify(encodeStates(known.states, known.plan));
    let draft = draftOf(underPlan(known.states, known.plan, plan));
    const fired = new FiredSystems();
    const sink = new EffectList(fired);
    const occasion = occasionOf(record, configuration);
    applyToUser(draft, occasion, plan, sink);
    if (JSON.stringify(encodeStates(known.states, known.plan)) !== before)
      throw new Error('a draft was written through');
    const layer = boards.openLayer(null) as BoardsLayer as StandingsLayer;
    const missing = layer.apply(occasion, plan.leaderboards, sink);
    if (missing.length > 0) {
      await boards.load(missing);
      if (layer.apply(occasion, plan.leaderboards, sink).length > 0) throw new Error('a run is still missing');
    }
    layer.publish();
    const encoded = encodeStates(draft, plan);
    if (stored) draft = decodeStates(JSON.parse(JSON.stringify(encoded)) as typeof encoded, plan);
    users.set(userId, { states: draft, plan });
    const { latest } = draft.streaks;
    const instant = latest === null ? record.occurredAt : Math.max(latest, record.occurredAt);
    outcomes.push({
      position: record.position,
      userId,
      rows: rowsOf(occasion, sink.effects, configuration).sort(),
      streak: viewStreak(draft.streaks, instant, plan.streaks),
      completed: sink.effects.flatMap((effect) =>
        effect.type === 'AchievementCompleted' ? [{ key: effect.achievement, achievedAt: effect.at }] : [],
      ),
      systems: systemsOf(fired, sink.effects, draft, plan),
      ranks: ranksOf(occasion, sink.effects, plan),
      states: sortedStates(encoded),
      dueAt: [null, null, null, pointsDueAt(draft, plan)],
    });
  }
  return outcomes;
}

const pointsDueAt = (states: UserStates, plan: Plan) =>
  dueAtOf({ ...states, streaks: { ...states.streaks, streak: null } }, plan);

class FiredSystems implements Reasons {
  readonly systems = new Set<string>();
  triggerFired({ system, type }: { readonly system: string; readonly type: string }): void {
    if (type !== 'time') this.systems.add(system);
  }
  triggerMissed(): void {}
  achievementMissed(): void {}
  conditionChecked(): void {}
}

function occasionOf(record: UserRecord, { metrics }: Configuration): Occasion {
  const { account, position, eventId, occurredAt, fact } = record;
  const user = { createdAt: 0, zone: '', previousZone: '', day: 0, total: null };
  const cause = (): Cause => {
    switch (fact.type) {
      case 'MetricEventRecorded': {
        const metric = metrics.findIndex(({ key }) => key === fact.metric);
        return { type: 'MetricReported', metric, value: exactOf(fact.value), fields: fact.user };
      }
      case 'UserIdentified':
        return { type: 'ProfileReported', fields: fact.user };
      case 'AchievementCompletedByCall':
        return { type: 'CompletionReported', achievement: fact.achievement, fields: fact.user };
      case 'UserSwept':
        return { type: 'TimePassed', place: fact.place };
    }
  };
  return { account, userId: fact.userId, position, eventId, occurredAt, cause: cause(), user };
}

const rowText = (table: string, { id: _id, ...row }: Readonly<Record<string, unknown>>): string =>
  `${table} ${JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))}`;

function rowsOf(
  { account, userId, position }: Occasion,
  effects: readonly Effect[],
  configuration: Configuration,
): string[] {
  let ordinal = 0;
  const user_id = userId;
  const period = (start: number, length: number, used_freeze: boolean) => {
    const generation = configuration.streak?.generation ?? 0;
    return [
      rowText('streak_periods', { account, user_id, generation, period_start: formatDay(start), length, used_freeze }),
    ];
  };
  return effects.flatMap((effect): string[] => {
    switch (effect.type) {
      case 'UserCreated':
        return [rowText('user_counts', { account, partition: 0, users: 1 })];
      case 'ZoneChanged':
        return [rowText('user_zones', { account, user_id, position, zone: effect.to })];
      case 'MetricTotalChanged':
        return [
          rowText('metric_days', {
            account,
            user_id,
            metric: effect.metric,
            date: formatDay(effect.day),
            change: formatMillionths(effect.change),
          }),
        ];
      case 'StreakStarted':
      case 'StreakExtended':
        return period(effect.period, effect.length, false);
      case 'FreezeUsed':
        return period(effect.period, effect.length, true);
      case 'PeriodSkipped':
        return period(effect.period, effect.length, false);
      case 'AchievementCompleted':
        return [
          rowText('achievement_completions', {
            account,
            user_id,
            achievement: effect.achievement,
            achieved_at: formatInstant(effect.at),
            position,
          }),
          rowText('achievement_counts', { account, achievement: effect.achievement, partition: 0, completions: 1 }),
        ];
      case 'PointsAwarded':
        return [
          rowText('point_awards', {
            account,
            user_id,
            system: effect.system,
            position,
            ordinal: ordinal++,
            trigger_id: effect.triggerId,
            awarded: String(effect.awarded),
            total: String(effect.total),
            awarded_at: formatInstant(effect.at),
            date: formatDay(effect.day),
          }),
        ];
      case 'RankChanged':
        return [
          rowText('board_rank_changes', {
            account,
            board: effect.board,
            run_start: formatDay(effect.run),
            user_id,
            position,
            ordinal: effect.ordinal,
            timestamp: formatInstant(effect.at),
            previous_rank: effect.previousRank,
            rank: effect.rank,
            previous_value: effect.previousValue === null ? null : formatMillionths(effect.previousValue),
            value: formatMillionths(effect.value),
          }),
        ];
      case 'StreakEnded':
      case 'StreakRevived':
      case 'FreezeEarned':
      case 'LevelChanged':
        return [];
    }
  });
}

const comparable = ({
  total,
  added,
  ...rest
}: {
  total: bigint;
  added: bigint;
  key: string;
  level?: string | null;
}) => ({
  ...rest,
  total: exactOf(total),
  added: exactOf(added),
});

function systemsOf({ systems }: FiredSystems, effects: readonly Effect[], { points }: UserStates, plan: Plan) {
  return plan.configuration.pointsSystems.flatMap(({ key }, place) => {
    if (!systems.has(key)) return [];
    const own = effects.flatMap((effect) =>
      effect.type === 'PointsAwarded' && effect.system === key && !effect.due ? [BigInt(effect.awarded)] : [],
    );
    const level = effects.flatMap((effect) =>
      effect.type === 'LevelChanged' && effect.system === key && !effect.due ? [{ level: effect.to }] : [],
    );
    const added = exactOf(own.reduce((sum, awarded) => sum + awarded, 0n));
    return [{ key, ...level[0], total: points.systems[place]?.total ?? 0, added }];
  });
}

/** What an answer shows: the event's own changes, in the runs of its date. */
function ranksOf({ user }: Occasion, effects: readonly Effect[], plan: Plan) {
  return effects.flatMap((effect) => {
    if (effect.type !== 'RankChanged' || effect.due) return [];
    const { board, run, previousRank, rank } = effect;
    const today = plan.leaderboards.boards.find(({ key }) => key === board)?.runOn(user.day);
    return today?.day === run ? [[board, formatDay(run), previousRank, rank]] : [];
  });
}

/** The order within a state says nothing. */
function sortedStates(states: Partial<Record<keyof Sections, unknown>>): unknown {
  const text = (value: unknown) => JSON.stringify(value);
  const sorted = (list: unknown) =>
    Array.isArray(list) ? [...(list as unknown[])].sort((a, b) => (text(a) < text(b) ? -1 : 1)) : list;
  const { users, streaks, achievements, points } = states as Record<string, Record<string, unknown> | null>;
  const { held: _held, ...streak } = streaks as Record<string, unknown>;
  return {
    users: { ...users, totals: sorted(users?.['totals']) },
    streaks: { ...streak, progress: sorted(streak['progress']) },
    achievements: sorted(achievements),
    points: points && {
      ...points,
      systems: sorted(
        (points['systems'] as unknown[][]).map(([key, total, at, sums]) => [key, total, at, sorted(sums)]),
      ),
    },
  };
}
