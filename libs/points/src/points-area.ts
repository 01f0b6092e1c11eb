import type {
  ChainMessage,
  Configuration,
  PointsAward,
  PointsSection,
  PointsSystemDefinition,
  PointsSystemOutcome,
  Projected,
  UserArea,
  UsersSection,
  ViewRequest,
} from '@laurel/contracts';
import { dueAward, firedAward } from './awards.ts';
import { awardRows, pointAwards } from './award-rows.ts';
import { decodePoints, encodePoints } from './points-state-codec.ts';
import { fire } from './rules/fire.ts';
import { levelOf } from './rules/level-of.ts';
import type { Occasion } from './rules/occasion.ts';
import { type KnownPoints, type PointsState, systemOf } from './rules/points-state.ts';
import { nextDueAt, owedAt, settle, tallyAt } from './rules/settle.ts';
import { settleBound } from './rules/settle-bound.ts';

/** Points of one user (specification, section 6): due time awards first, then what the record itself causes. */
export const pointsArea: UserArea<PointsState, PointsSection> = {
  name: 'points',
  stateVersion: 1,
  tables: [pointAwards],
  initial: () => ({ kind: 'unknown' }),
  project,
  view,
  dueAt: nextDueAt,
  settleBound,
  owed: owedAt,
  encode: encodePoints,
  decode: decodePoints,
};

function project(
  before: PointsState,
  message: ChainMessage,
  configuration: Configuration,
): Projected<PointsState, PointsSection> {
  const { record } = message;
  const users = section(message, 'users');
  const state = before.kind === 'known' ? before : newcomer(users);
  const { pointsSystems } = configuration;

  const settled = settle(
    state,
    configuration,
    record.occurredAt,
    record.fact.type === 'UserSwept' ? 'sweep' : 'record',
  );
  const stateOf = (key: string) => systemOf(settled.systems, key, state.createdAt);
  const fired = fire(pointsSystems, stateOf, occasionOf(message));

  const awards: PointsAward[] = [
    ...settled.awards.map((award) => dueAward(record.account, record.fact.userId, award, users.previousZone)),
    ...fired.awards.map((award) => firedAward(record, award, users.date)),
  ];
  const totalNow = (key: string) => fired.states.get(key)?.total ?? 0n;
  const systems = pointsSystems
    .filter(({ key }) => fired.systems.has(key))
    .map((definition) => outcomeOf(definition, stateOf(definition.key).total, totalNow(definition.key)));
  const after = new Map([...settled.systems, ...fired.states]);
  return {
    state: { ...state, zone: users.zone, position: record.position, systems: after },
    section: { awards, systems },
    rows: awardRows(record, awards),
  };
}

/** The systems with a trigger on the replayed event's metric, as they stand (specification, section 3). */
function view(state: PointsState, request: ViewRequest, { pointsSystems }: Configuration): PointsSection {
  const systems = pointsSystems
    .filter(({ triggers }) =>
      triggers.some((trigger) => trigger.type === 'metric' && trigger.metric.key === request.metric),
    )
    .map((definition) => ({
      key: definition.key,
      total: state.kind === 'known' ? tallyAt(state, definition, request.at).total : 0n,
      added: 0n,
    }));
  return { awards: [], systems };
}

function newcomer({ createdAt, zone }: UsersSection): KnownPoints {
  return { kind: 'known', createdAt, zone, position: 0, systems: new Map() };
}

function occasionOf(message: ChainMessage): Occasion {
  const { fact } = message.record;
  const { extended, streak } = section(message, 'streaks');
  const { completed } = section(message, 'achievements');
  return {
    userCreated: section(message, 'users').created,
    metric: fact.type === 'MetricEventRecorded' ? { key: fact.metric, value: fact.value } : null,
    streakExtendedTo: extended ? streak.length : null,
    completed: new Set(completed.map(({ key }) => key)),
  };
}

/** `level` only if the record changed it, due time awards aside (specification, section 6). */
function outcomeOf({ key, levels }: PointsSystemDefinition, before: bigint, total: bigint): PointsSystemOutcome {
  const level = levelOf(levels, total)?.key ?? null;
  const changed = level !== (levelOf(levels, before)?.key ?? null);
  return { key, total, added: total - before, ...(changed ? { level } : {}) };
}

/** Points that were worked out without an earlier area would be wrong for good, so a missing section stops the area. */
function section<Name extends 'users' | 'streaks' | 'achievements'>(
  message: ChainMessage,
  name: Name,
): NonNullable<ChainMessage[Name]> {
  const found = message[name];
  if (found === undefined)
    throw new Error(`the message at position ${message.record.position} lacks its section ${name}`);
  return found;
}
