import { isDeepStrictEqual } from 'node:util';
import { USER_AREAS } from '@laurel/all-areas';
import {
  Fold,
  EffectList,
  messageAfter,
  newMessage,
  occasionOf,
  storedRows,
  tablesOf,
  type BoardOutcome,
  type ChainMessage,
  type Configuration,
  type RecordedEvent,
  type Row,
  type AnswerParts,
  type AnyUserArea,
  type Effect,
  type AreaRange,
  type Subject,
  type RecordedUserEvent,
} from '@laurel/kernel';
import { decodeContributions, decodeMessage, encodeContributions, encodeMessage } from '@laurel/engine';
import { contributionsByPartition } from '@laurel/contributions';
import { FINAL_RUN_CHANGES, type LeaderboardsArea } from '@laurel/leaderboards';
import { applyBoards, loaded } from './apply-boards.ts';
import { emptyBoards } from './live.ts';
import type { AppliedEvent } from './rows-of-effects.ts';
import { rowText, sortedStates, standingsOf, recordedUserEvents, type Outcome, type Outcomes } from './outcome.ts';

/** How the chain is divided into steps. */
export interface Cutting {
  /**
   * Indices of user areas before which a new step begins, ascending. The leaderboards are a separate step if the last
   * index is their own.
   */
  readonly cuts: readonly number[];
  /** Whether the state is read again for every event. */
  readonly stored: boolean;
  /** Whether rows are returned in their stored form or as areas add them. Default: stored. */
  readonly rowsAs?: 'stored' | 'added';
  /** Default: all areas of users. */
  readonly areas?: readonly AnyUserArea[];
}

/** The results of a chain of steps, with the answer to each event. */
export interface Stepped extends Outcomes {
  readonly sections: readonly AnswerParts[];
  readonly applied: readonly AppliedEvent[];
}

/**
 * Applies a log in steps, as services do: a message is encoded and decoded between two of them.
 * @throws Error if applying an event changes the states before it, or if effects depend on whether the answer is made
 */
export async function inSteps(
  records: readonly RecordedEvent[],
  { cuts, stored, rowsAs = 'stored', areas = USER_AREAS }: Cutting,
): Promise<Stepped> {
  const boards = emptyBoards();
  const states = new Map<Subject, readonly unknown[]>();
  const outcomes: Outcome[] = [];
  const sections: AnswerParts[] = [];
  const events: AppliedEvent[] = [];
  const runs: string[] = [];
  for (const { record, configuration } of recordedUserEvents(records)) {
    const { subject } = record.fact;
    const before = states.get(subject) ?? areas.map((area) => area.initial());
    const user = applySteps({ areas, spans: spansOf(cuts) }, before, record, configuration);
    states.set(subject, stored ? throughJson(user.states) : user.states);
    const encodedStates = encoded(user.states);
    const layer = boards.openLayer(null);
    const { message } = user;
    const applied = cuts.includes(USER_AREAS.length)
      ? await applyContributions(boards, layer, message, configuration)
      : await applyMessage(boards, layer, message, configuration);
    layer.publish();
    for (const row of applied.changes) runs.push(`${String(row['board'])}\0${String(row['run_start'])}`);
    const shown = { ...message.sections, leaderboards: { boards: applied.outcomes } };
    sections.push(shown);
    events.push({
      occasion: occasionOf(record, message.user, configuration),
      configuration,
      effects: applied.effects,
      states: encodedStates,
    });
    outcomes.push({
      ...outcomeOf(record, shown),
      rows: [
        ...user.rows.flatMap(rowsAs === 'stored' ? storedTexts : addedTexts),
        ...addedTexts(['rank_changes', applied.changes]),
        ...addedTexts([FINAL_RUN_CHANGES, applied.late]),
      ].sort(),
      states: sortedStates(encodedStates),
      dueAt: dueAt(user.states, configuration),
    });
  }
  return { outcomes, sections, applied: events, standings: await standingsOf(boards, runs) };
}

type Layer = ReturnType<LeaderboardsArea['openLayer']>;

interface MovedBoards {
  readonly outcomes: readonly BoardOutcome[];
  readonly changes: readonly Row[];
  /** Rows of runs that were final. */
  readonly late: readonly Row[];
  /** Those of the areas before, and of the boards if this process applies them. */
  readonly effects: readonly Effect[];
}

async function applyMessage(
  boards: LeaderboardsArea,
  layer: Layer,
  message: ChainMessage,
  configuration: Configuration,
): Promise<MovedBoards> {
  const occasion = occasionOf(message.record, message.user, configuration);
  const emitter = new EffectList(occasion, configuration, null, message.effects);
  const { answerPart, rows } = await applyBoards(boards, layer, occasion, configuration, emitter);
  return {
    outcomes: answerPart?.boards ?? [],
    changes: rows.get('rank_changes') ?? [],
    late: rows.get(FINAL_RUN_CHANGES) ?? [],
    effects: emitter.effects,
  };
}

/**
 * Applies contributions as if each board had a separate owner. An answer is made of each event, whether or not anybody
 * waits for it.
 */
async function applyContributions(
  boards: LeaderboardsArea,
  layer: Layer,
  message: ChainMessage,
  configuration: Configuration,
): Promise<MovedBoards> {
  const outcomes: BoardOutcome[] = [];
  const changes: Row[] = [];
  const late: Row[] = [];
  const answer = { eventId: message.record.eventId, day: message.user?.day ?? 0 };
  const owners = configuration.leaderboards.map(({ key }) => key);
  for (const sent of contributionsByPartition(message, configuration, (board) => owners.indexOf(board)).values()) {
    const received = decodeContributions(encodeContributions({ ...sent, answer }));
    const { answerPart, rows } = await loaded(boards, () => layer.contribute(received, configuration));
    outcomes.push(...(answerPart?.boards ?? []));
    changes.push(...(rows.get('rank_changes') ?? []));
    late.push(...(rows.get(FINAL_RUN_CHANGES) ?? []));
  }
  return { outcomes, changes, late, effects: message.effects };
}

function spansOf(cuts: readonly number[]): readonly AreaRange[] {
  const inside = cuts.filter((cut) => cut > 0 && cut < USER_AREAS.length);
  const ends = [...inside, USER_AREAS.length];
  return ends.map((end, place) => ({ first: ends[place - 1] ?? 0, end }));
}

/** Each step has only the states of its own areas. */
function applySteps(
  { areas: all, spans }: { readonly areas: readonly AnyUserArea[]; readonly spans: readonly AreaRange[] },
  before: readonly unknown[],
  record: RecordedUserEvent,
  configuration: Configuration,
) {
  const rows: (readonly [string, readonly Row[]])[] = [];
  const after: unknown[] = [];
  let message = newMessage(record);
  for (const [place, { first, end }] of spans.entries()) {
    const areas = all.slice(first, end);
    const states = before.slice(first, end);
    const stored = textOf(areas, states);
    const fold = Fold.from(areas, states, configuration);
    const unanswered = fold.copy(configuration);
    const given = place === 0 ? message : throughWire(message);
    const applied = fold.apply(given.record, configuration, { before: given, wantsAnswer: true });
    const { effects } = unanswered.apply(given.record, configuration, { before: given });
    if (!isDeepStrictEqual(effects, applied.effects)) throw new Error('effects depend on whether the answer is made');
    if (textOf(areas, states) !== stored) throw new Error('applying an event has changed the states before it');
    message = messageAfter(applied, areas);
    after.push(...fold.states);
    rows.push(...applied.rows.flatMap((added) => [...added]));
  }
  return { message, states: after, rows };
}

const textOf = (areas: readonly AnyUserArea[], states: readonly unknown[]): string =>
  JSON.stringify(areas.map((area, index) => area.encode(states[index])));

const TABLES = new Map(tablesOf(USER_AREAS).map((table) => [table.name, table]));

const addedTexts = ([table, rows]: readonly [string, readonly Row[]]): readonly string[] =>
  rows.map((row) => rowText(table, row));

const storedTexts = ([table, rows]: readonly [string, readonly Row[]]): readonly string[] =>
  addedTexts([table, storedRows(TABLES.get(table) ?? {}, rows)]);

const throughWire = (message: ChainMessage): ChainMessage => decodeMessage(encodeMessage(message));

const encoded = (states: readonly unknown[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(USER_AREAS.map((area, index) => [area.name, area.encode(states[index])]));

const throughJson = (states: readonly unknown[]): readonly unknown[] => {
  const stored = JSON.parse(JSON.stringify(encoded(states))) as Record<string, unknown>;
  return USER_AREAS.map((area) => area.decode(stored[area.name]));
};

function dueAt(states: readonly unknown[], configuration: Configuration): number | null {
  const due = USER_AREAS.map((area, index) => area.dueAt?.(states[index], configuration) ?? null);
  const first = Math.min(...due.map((at) => at ?? Infinity));
  return first === Infinity ? null : first;
}

function outcomeOf(record: RecordedUserEvent, { users, streaks, achievements, points, leaderboards }: AnswerParts) {
  if (!users || !streaks || !achievements || !points || !leaderboards) throw new Error('a section is missing');
  return {
    position: record.position,
    subject: record.fact.subject,
    user: users,
    streak: streaks,
    completed: achievements.completed,
    awards: points.awards.map(({ id: _id, ...award }) => award),
    systems: points.systems,
    ranks: leaderboards.boards.map(({ key, runStart, previousRank, rank }) => [key, runStart, previousRank, rank]),
  };
}
