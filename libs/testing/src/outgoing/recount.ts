import type { AuditEntry, ExportedEvent, LoggedEvent, TimelineEvent } from '@laurel/schemas';
import { correctedInWords, missingInWords, rankingsInWords, totalsInWords } from './judge.ts';
import { RecountedBoards, type BoardRequest, type Move } from './recounted-boards.ts';
import { FreezesOfUser, type FreezesQuery } from './recounted-freezes.ts';

/** The log as the service's reads show it. */
export interface ShownLog {
  /** Each user's events, oldest first. For an erased user, as they were shown just before. */
  readonly timelines: ReadonlyMap<string, readonly TimelineEvent[]>;
  /** Exported events, in the order of recording. */
  readonly events: readonly ExportedEvent[];
  /** Audit entries, oldest first. */
  readonly audit: readonly AuditEntry[];
  /** Events of the log, oldest first. */
  readonly log: readonly LoggedEvent[];
  /** When all this was read. */
  readonly at: string;
}

export interface Asked {
  /** Boards, in the order of the configuration. */
  readonly boards: readonly BoardRequest[];
  /** The setting of the configuration. */
  readonly announceTop: number;
  readonly freezes: FreezesQuery;
  /** Configurations up to this version were published before the first endpoint was created. */
  readonly knownVersion: number;
}

// Effects are read by the names of answers.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Effect = any;

/** Outcomes of a recorded event, in words. */
interface Told {
  readonly eventId: string;
  /** Empty if there is none. */
  readonly user: string;
  readonly words: readonly string[];
}

/**
 * The outcomes that a log must have, by user and in order, in the words of `inWords`. Computed independently of the
 * code that makes outcomes: from the timeline of each event, and ranks and recaps from the values of the events alone.
 */
export function recount(log: ShownLog, asked: Asked): ReadonlyMap<string, readonly string[]> {
  const places = new Map(log.log.map(({ id }, place) => [id, place]));
  const placeOf = ({ eventId }: Told): number => {
    const place = places.get(eventId);
    if (place === undefined) throw new Error(`the log lacks the event ${eventId}`);
    return place;
  };
  const silent = silentImports(log);
  const { told, faults } = ofLog(log, asked);
  const all = [...ofTimelines(log, asked), ...told].filter(({ eventId }) => !silent.has(eventId));
  const outcomes = new Map<string, string[]>(['', ...log.timelines.keys()].map((user) => [user, []]));
  for (const { user, words } of all.sort((one, other) => placeOf(one) - placeOf(other)))
    outcomes.get(user)?.push(...words);
  outcomes.get('')?.push(...faults);
  return outcomes;
}

function ofTimelines(log: ShownLog, asked: Asked): readonly Told[] {
  return [...log.timelines].flatMap(([user, events]) => {
    const freezes = new FreezesOfUser(asked.freezes);
    return events.map((event, place) => {
      const words = ofEvent(event, { past: pastOf(event, log.audit), before: events.slice(0, place), freezes });
      return { eventId: event.id, user, words };
    });
  });
}

/**
 * Effects that fell due before it make no outcomes: the start of the last import without outcomes, or the instant of
 * the event if that is earlier.
 */
function pastOf({ occurredAt, recordedAt }: TimelineEvent, audit: readonly AuditEntry[]): string {
  const isSilent = ({ type, details, at }: AuditEntry) =>
    type === 'ImportOpened' && details['outgoing'] !== true && at <= recordedAt;
  const opened = audit.findLast(isSilent)?.at ?? '';
  return opened < occurredAt ? opened : occurredAt;
}

/** The outcomes about the account and about ranks, event by event. */
function ofLog({ log, at, timelines }: ShownLog, { boards, announceTop, knownVersion }: Asked) {
  const corrections = new Map(
    [...timelines.values()].flat().map(({ id, correction }) => [id, correction?.events ?? []] as const),
  );
  const published = log.find(({ type }) => type === 'ConfigurationPublished')?.timestamp ?? '';
  const due = new Set(boards.flatMap((board) => runsDue(board, published, at)));
  const recounted = new RecountedBoards(boards);
  const faults: string[] = [];
  const told = log.flatMap((event, order): readonly Told[] => {
    const { id: eventId, type, details, timestamp } = event;
    const ofAccount = (...words: readonly string[]): readonly Told[] => [{ eventId, user: '', words }];
    switch (type) {
      case 'MetricEventRecorded':
        return recounted.record(event, order).flatMap((move) => ofMove(event, move, announceTop));
      case 'CorrectionRecorded':
        recounted.correct(corrections.get(eventId) ?? []);
        return [];
      case 'UserErased':
        return ofAccount('user.erased');
      case 'ImportClosed':
        return ofAccount('import.finished');
      case 'WebhookChanged':
        return details['change'] === 'disabled' ? ofAccount('endpoint.disabled') : [];
      case 'ConfigurationPublished':
        return Number(details['version']) > knownVersion
          ? ofAccount(`configuration.published ${String(details['version'])}`)
          : [];
      case 'LeaderboardRunStarted':
      case 'LeaderboardRunEnded': {
        const [board, run] = [String(details['board']), String(details['run'])];
        const words = `${RUN_EVENTS[type]} ${board} ${run} ${timestamp}`;
        if (!due.delete(words)) faults.push(`the log has ${words}, which was not due or is there already`);
        return ofAccount(`${words} ${rankingsInWords(recounted.ranked(board, run))}`);
      }
      default:
        return [];
    }
  });
  return { told, faults: [...faults, ...[...due].map((run) => `the log lacks ${run}`)] };
}

const RUN_EVENTS = {
  LeaderboardRunStarted: 'leaderboard.started',
  LeaderboardRunEnded: 'leaderboard.finished',
} as const;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The runs of a daily board that began, or that had been over in every zone for ten minutes, between two instants. */
function runsDue({ key, daily }: BoardRequest, from: string, to: string): readonly string[] {
  if (daily === undefined) return [];
  const runs: string[] = [];
  for (let day = Date.parse(daily); day <= Date.parse(to); day += DAY_MS) {
    const run = new Date(day).toISOString().slice(0, 10);
    const [began, ended] = [day, day + 36 * HOUR_MS].map((instant) => new Date(instant).toISOString());
    if (began !== undefined && began > from && began <= to) runs.push(`leaderboard.started ${key} ${run} ${began}`);
    if (ended !== undefined && ended > from && Date.parse(ended) + HOUR_MS / 6 <= Date.parse(to))
      runs.push(`leaderboard.finished ${key} ${run} ${ended}`);
  }
  return runs;
}

/** The outcomes of a move: for its user, for passed users at the top, and about the top. */
function ofMove({ id: eventId, userId }: LoggedEvent, move: Move, announceTop: number): readonly Told[] {
  const { board, run, previousRank, previousValue, rank, value, before, after } = move;
  const own = `leaderboard.rank_changed ${board} ${previousRank} ${previousValue} ${rank} ${value}`;
  const rankAfter = (user: string) => 1 + after.findIndex((one) => one.user === user);
  const lost = before.slice(0, announceTop).flatMap(({ user }, place): readonly Told[] => {
    const isPassed = user !== userId && rankAfter(user) > place + 1;
    const words = `leaderboard.rank_lost ${board} ${place + 1} ${rankAfter(user)} by ${userId}`;
    return isPassed ? [{ eventId, user, words: [words] }] : [];
  });
  const isAmongFirst = Math.min(rank, previousRank ?? Infinity) <= announceTop;
  const first = `leaderboard.changed ${board} ${run} ${rankingsInWords(after.slice(0, announceTop))}`;
  return [
    { eventId, user: userId ?? '', words: [own] },
    ...lost,
    ...(isAmongFirst ? [{ eventId, user: '', words: [first] }] : []),
  ];
}

/** Imported events that arrived while no import with outcomes was open. */
function silentImports({ audit, events }: ShownLog): ReadonlySet<string> {
  const brackets = audit.filter(({ type }) => type === 'ImportOpened' || type === 'ImportClosed');
  const silent = events.filter(({ imported, recordedAt }) => {
    const last = brackets.findLast(({ at }) => at <= recordedAt);
    return imported && !(last?.type === 'ImportOpened' && last.details['outgoing'] === true);
  });
  return new Set(silent.map(({ id }) => id));
}

interface Surroundings {
  /** Effects that fell due earlier make no outcomes. */
  readonly past: string;
  /** The user's earlier events. */
  readonly before: readonly TimelineEvent[];
  readonly freezes: FreezesOfUser;
}

/** In the order in which the outcomes of one event are sent. */
function ofEvent(event: TimelineEvent, { past, before, freezes }: Surroundings): readonly string[] {
  const { type, effects, correction, recordedAt } = event;
  if (type === 'CorrectionRecorded') return [`user.corrected ${correctedInWords(correction?.events ?? [])}`];
  const of = (area: readonly Effect[], name: string): Effect[] => area.filter((effect) => effect.type === name);
  const due = (area: readonly Effect[], name: string): Effect[] => of(area, name).filter(({ at }) => at >= past);
  const reminders = (area: readonly Effect[], name: string): Effect[] =>
    due(area, name).filter(({ at }) => Date.parse(recordedAt) - Date.parse(at) <= HOUR_MS);
  const { users, streaks, achievements, points } = effects;
  const atRisk = reminders(streaks, 'StreakAtRisk').map(
    ({ period, length, expiresAt, missing }) => `${period} ${length} ${expiresAt} ${missingInWords(missing)}`,
  );
  const completed = of(achievements, 'AchievementCompleted').map(({ achievement, at }) => `${achievement} ${at}`);
  return [
    ...of(users, 'UserCreated').map(({ at }) => `user.created ${at}`),
    ...atRisk.map((words) => `streak.at_risk ${words}`),
    ...atRisk.map((words) => `emails.streak_reminder_due ${words}`),
    ...reminders(users, 'RecapDue').map(({ at }) => `emails.recap_due ${weekBefore(at, before)}`),
    ...reminders(users, 'ReactivationDue').map(
      ({ message, days }) => `emails.reactivation_due ${message} ${days} ${daysBehind(before, days)}`,
    ),
    ...due(streaks, 'StreakEnded').map(({ length, at }) => `streak.lost ${length} ${at}`),
    ...counted(due(streaks, 'FreezeUsed').length, (used) => `streak.freeze_consumed ${used}`),
    ...freezes.told(event, past),
    ...of(streaks, 'StreakStarted').map(({ period }) => `streak.started ${period} 1`),
    ...of(streaks, 'StreakExtended').map(({ period, length }) => `streak.extended ${period} ${length}`),
    ...completed.map((words) => `achievement.completed ${words}`),
    ...completed.map((words) => `emails.achievement_due ${words}`),
    ...pointsChanged(due(points, 'PointsAwarded')),
    ...levelsChanged(of(points, 'LevelChanged'), due(points, 'PointsAwarded')),
  ];
}

const counted = (count: number, words: (count: number) => string): readonly string[] =>
  count === 0 ? [] : [words(count)];

/** The seven dates before the date of an instant, and the sum of the user's values on them. */
function weekBefore(at: string, before: readonly TimelineEvent[]): string {
  const [start, end] = [7, 1].map((days) => new Date(Date.parse(at) - days * DAY_MS).toISOString().slice(0, 10)) as [
    string,
    string,
  ];
  const totals = new Map<string, number>();
  for (const { metric, value = 0, occurredAt } of before)
    if (metric !== undefined && occurredAt >= start && occurredAt.slice(0, 10) <= end)
      totals.set(metric, (totals.get(metric) ?? 0) + Number(value));
  return `${start} ${end} ${totalsInWords(Object.fromEntries(totals))}`;
}

/** The instant this many days of 24 hours after the latest metric event. */
function daysBehind(before: readonly TimelineEvent[], days: number): string {
  const reported = before.flatMap(({ metric, occurredAt }) => (metric === undefined ? [] : [Date.parse(occurredAt)]));
  return new Date(Math.max(...reported) + days * DAY_MS).toISOString();
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
