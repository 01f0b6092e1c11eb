import type { AuditEntry, ExportedEvent, LoggedEvent, TimelineEvent } from '@laurel/contracts';
import { missingInWords } from './judge.ts';

/** The log as the service shows it to whoever asks. */
export interface ShownLog {
  /** Of each user, the oldest first. */
  readonly timelines: ReadonlyMap<string, readonly TimelineEvent[]>;
  /** In the order of recording. */
  readonly events: readonly ExportedEvent[];
  /** The oldest first. */
  readonly audit: readonly AuditEntry[];
  /** At least all events of metrics, publications, ends of imports, webhooks and runs, the oldest first. */
  readonly log: readonly LoggedEvent[];
  /** When all this was shown. */
  readonly at: string;
}

/** A board by the sum of a metric: over all time, or day by day. All events are of the date that they have in UTC. */
export interface AskedBoard {
  readonly key: string;
  readonly metric: string;
  /** First date; absent: it is over all time. */
  readonly daily?: string;
}

/** Freezes of a streak: some at first, one more for each so many days of 24 hours since the user was created. */
export interface AskedFreezes {
  readonly initial: number;
  readonly max: number;
  readonly earnEveryDays: number;
}

export interface Asked {
  /** In the order of the configuration. */
  readonly boards: readonly AskedBoard[];
  readonly freezes: AskedFreezes;
  /** Configurations up to this version were published before anybody listened. */
  readonly knownVersion: number;
}

// Effects are read by the names under which they are shown.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Effect = any;

/**
 * The outcomes that a log must have, by user and in order, in the words of `inWords`. It is counted anew, with none of the code that
 * makes outcomes: from what the timeline shows of each event, and ranks from the values of the events alone.
 */
export function recount(log: ShownLog, asked: Asked): ReadonlyMap<string, readonly string[]> {
  const ranks = recountRanks(log.events, asked.boards);
  const outcomes = new Map<string, readonly string[]>([['', ofAccount(log, asked)]]);
  const silent = silentImports(log);
  for (const [user, events] of log.timelines) {
    const freezes = new FreezesOfUser(asked.freezes);
    const told = events.map((event) => ofEvent(event, ranks.get(event.id) ?? [], pastOf(event, log.audit), freezes));
    outcomes.set(
      user,
      told.flatMap((words, place) => (silent.has(events[place]?.id ?? '') ? [] : words)),
    );
  }
  return outcomes;
}

/** Before it nothing that fell due is told: the beginning of the last import without outcomes, or the event, if that is earlier. */
function pastOf({ occurredAt, recordedAt }: TimelineEvent, audit: readonly AuditEntry[]): string {
  const isSilent = ({ type, details, at }: AuditEntry) =>
    type === 'ImportOpened' && details['outgoing'] !== true && at <= recordedAt;
  const opened = audit.findLast(isSilent)?.at ?? '';
  return opened < occurredAt ? opened : occurredAt;
}

function ofAccount({ log, at }: ShownLog, { boards, knownVersion }: Asked): readonly string[] {
  const published = log.find(({ type }) => type === 'ConfigurationPublished')?.timestamp ?? '';
  const due = new Set(boards.flatMap((board) => runsDue(board, published, at)));
  const told = log.flatMap((event, place) => {
    const { type, details } = event;
    if (type === 'ImportClosed') return ['import.finished'];
    if (type === 'WebhookChanged') return details['change'] === 'disabled' ? ['endpoint.disabled'] : [];
    if (type === 'ConfigurationPublished')
      return Number(details['version']) > knownVersion ? [`configuration.published ${String(details['version'])}`] : [];
    if (!(type in RUN_EVENTS)) return [];
    const run = `${RUN_EVENTS[type] ?? ''} ${String(details['board'])} ${String(details['run'])} ${event.timestamp}`;
    if (!due.delete(run)) return [`the log has ${run}, which was not due or is there already`];
    return [`${run} ${rankingsOf(log.slice(0, place), boards, String(details['board']), String(details['run']))}`];
  });
  return [...told, ...[...due].map((run) => `the log lacks ${run}`)];
}

const RUN_EVENTS: Readonly<Record<string, string>> = {
  LeaderboardRunStarted: 'leaderboard.started',
  LeaderboardRunEnded: 'leaderboard.finished',
};

const HOUR_MS = 3_600_000;

/** The runs of a daily board that began, or that every zone had left for ten minutes, between two instants. */
function runsDue({ key, daily }: AskedBoard, from: string, to: string): readonly string[] {
  if (daily === undefined) return [];
  const runs: string[] = [];
  for (let day = Date.parse(daily); day <= Date.parse(to); day += 24 * HOUR_MS) {
    const run = new Date(day).toISOString().slice(0, 10);
    const [began, ended] = [day, day + 36 * HOUR_MS].map((instant) => new Date(instant).toISOString());
    if (began !== undefined && began > from && began <= to) runs.push(`leaderboard.started ${key} ${run} ${began}`);
    if (ended !== undefined && ended > from && Date.parse(ended) + HOUR_MS / 6 <= Date.parse(to))
      runs.push(`leaderboard.finished ${key} ${run} ${ended}`);
  }
  return runs;
}

/** By the sums of the events that were recorded before: who reached theirs first is ahead. */
function rankingsOf(before: readonly LoggedEvent[], boards: readonly AskedBoard[], key: string, run: string): string {
  const metric = boards.find((board) => board.key === key)?.metric;
  const places = new Map<string, Place>();
  for (const [order, { type, timestamp: at, userId, details }] of before.entries()) {
    if (type !== 'MetricEventRecorded' || details['metric'] !== metric || !at.startsWith(run)) continue;
    const user = String(userId);
    places.set(user, { value: (places.get(user)?.value ?? 0) + Number(details['value']), at, order });
  }
  const ranked = [...places].sort(([, one], [, other]) => (isAhead(one, other) ? -1 : 1));
  return ranked.map(([user, { value }]) => `${user}: ${value}`).join(', ');
}

/** Imported events that came while no import with outcomes was open. */
function silentImports({ audit, events }: ShownLog): ReadonlySet<string> {
  const brackets = audit.filter(({ type }) => type === 'ImportOpened' || type === 'ImportClosed');
  const silent = events.filter(({ imported, recordedAt }) => {
    const last = brackets.findLast(({ at }) => at <= recordedAt);
    return imported && !(last?.type === 'ImportOpened' && last.details['outgoing'] === true);
  });
  return new Set(silent.map(({ id }) => id));
}

/** The order is that in which the outcomes of one event are sent. */
function ofEvent(
  { type, effects, occurredAt }: TimelineEvent,
  ranks: readonly string[],
  past: string,
  freezes: FreezesOfUser,
): readonly string[] {
  if (type === 'CorrectionRecorded') return ['user.corrected'];
  const of = (area: readonly Effect[], name: string): Effect[] => area.filter((effect) => effect.type === name);
  const due = (area: readonly Effect[], name: string): Effect[] => of(area, name).filter(({ at }) => at >= past);
  const { users, streaks, achievements, points } = effects;
  return [
    ...of(users, 'UserCreated').map(({ at }) => `user.created ${at}`),
    ...due(streaks, 'StreakAtRisk').map(
      ({ period, length, expiresAt, missing }) =>
        `streak.at_risk ${period} ${length} ${expiresAt} ${missingInWords(missing)}`,
    ),
    ...due(streaks, 'StreakEnded').map(({ length, at }) => `streak.lost ${length} ${at}`),
    ...counted(due(streaks, 'FreezeUsed').length, (used) => `streak.freeze_consumed ${used}`),
    ...freezes.told(effects, occurredAt, past),
    ...of(streaks, 'StreakStarted').map(({ period }) => `streak.started ${period} 1`),
    ...of(streaks, 'StreakExtended').map(({ period, length }) => `streak.extended ${period} ${length}`),
    ...of(achievements, 'AchievementCompleted').map(
      ({ achievement, at }) => `achievement.completed ${achievement} ${at}`,
    ),
    ...pointsChanged(due(points, 'PointsAwarded')),
    ...levelsChanged(of(points, 'LevelChanged'), due(points, 'PointsAwarded')),
    ...ranks,
  ];
}

const counted = (count: number, words: (count: number) => string): readonly string[] =>
  count === 0 ? [] : [words(count)];

const DAY_MS = 24 * HOUR_MS;

/** The freezes of a user, counted by looking at each instant at which one may be earned. */
class FreezesOfUser {
  readonly #asked: AskedFreezes;
  #createdAt = 0;
  #asOf = 0;
  #held = 0;

  constructor(asked: AskedFreezes) {
    this.#asked = asked;
  }

  /** In words, what was earned with an event since the past: all that comes at one time is of now if the last of it is. */
  told(effects: TimelineEvent['effects'], occurredAt: string, past: string): readonly string[] {
    const [users, streaks]: readonly Effect[][] = [[...effects.users], [...effects.streaks]];
    const created = users?.find(({ type }) => type === 'UserCreated');
    if (created) {
      this.#createdAt = this.#asOf = Date.parse(created.at);
      this.#held = this.#asked.initial;
    }
    let told = 0;
    for (const [place, { type, at }] of (streaks ?? []).entries()) {
      const used = streaks?.slice(place).find((effect) => effect.type === 'FreezeUsed');
      if (type === 'FreezeEarned') told += this.#earnUpTo(Date.parse(used?.at ?? occurredAt), past);
      if (type === 'FreezeUsed') [this.#held, this.#asOf] = [this.#held - 1, Math.max(this.#asOf, Date.parse(at))];
    }
    return told === 0 ? [] : [`streak.freeze_earned ${told} ${this.#held}`];
  }

  /** @returns how many, if the last of them is not of the past */
  #earnUpTo(at: number, past: string): number {
    const every = this.#asked.earnEveryDays * DAY_MS;
    let [earned, last] = [0, -Infinity];
    for (let next = this.#createdAt; next <= at; next += every)
      if (next > this.#asOf && this.#held < this.#asked.max)
        [this.#held, earned, last] = [this.#held + 1, earned + 1, next];
    this.#asOf = Math.max(this.#asOf, at);
    return past === '' || last >= Date.parse(past) ? earned : 0;
  }
}

function pointsChanged(awards: readonly Effect[]): readonly string[] {
  return [...new Set(awards.map(({ system }) => system as string))].flatMap((system) => {
    const own = awards.filter((award) => award.system === system);
    const added = own.reduce((sum, { awarded }) => sum + awarded, 0);
    return added === 0 ? [] : [`points.changed ${system} ${added} ${own.at(-1).total}`];
  });
}

function levelsChanged(changes: readonly Effect[], awards: readonly Effect[]): readonly string[] {
  return [...new Set(awards.map(({ system }) => system as string))].flatMap((system) => {
    const own = changes.filter((change) => change.system === system);
    const [from, to] = [own[0]?.from ?? null, own.at(-1)?.to ?? null];
    return from === to ? [] : [`points.level_changed ${system} ${from ?? '-'} ${to ?? '-'}`];
  });
}

interface Place {
  readonly value: number;
  readonly at: string;
  readonly order: number;
}

/** By value, then by who reached it first, then by the order of recording. */
const isAhead = (one: Place, other: Place): boolean =>
  one.value !== other.value
    ? one.value > other.value
    : one.at !== other.at
      ? one.at < other.at
      : one.order < other.order;

/** What each event made of its user's ranks, by the id of the event. */
function recountRanks(events: readonly ExportedEvent[], boards: readonly AskedBoard[]) {
  const runs = new Map<string, Map<string, Place>>();
  const changes = new Map<string, string[]>();
  for (const [order, event] of events.entries())
    for (const { key, metric, daily } of boards) {
      const { id, userId, timestamp: at } = event;
      const isOnBoard = daily === undefined || at >= daily;
      if (event.metric !== metric || userId === null || !isOnBoard) continue;
      const run = daily === undefined ? key : `${key} ${at.slice(0, 10)}`;
      const places = runs.get(run) ?? new Map<string, Place>();
      runs.set(run, places);
      const before = places.get(userId);
      const previousRank = before === undefined ? null : rankAmong(places, before);
      const place = { value: (before?.value ?? 0) + Number(event.value), at, order };
      places.set(userId, place);
      const rank = rankAmong(places, place);
      if (rank === previousRank) continue;
      const words = `leaderboard.rank_changed ${key} ${previousRank} ${before?.value ?? null} ${rank} ${place.value}`;
      changes.set(id, [...(changes.get(id) ?? []), words]);
    }
  return changes;
}

const rankAmong = (places: ReadonlyMap<string, Place>, place: Place): number =>
  1 + [...places.values()].filter((other) => other !== place && isAhead(other, place)).length;
