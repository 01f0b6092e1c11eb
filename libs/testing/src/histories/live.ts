import { USER_AREAS } from '@laurel/all-areas';
import { compileHistory } from '@laurel/configuration';
import {
  tablesOf,
  type AreaTable,
  type UserCommand,
  type CorrectionRecorded,
  type EventCorrection,
  type RecordedEvent,
  type CommandResult,
} from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { LeaderboardsArea } from '@laurel/leaderboards';
import {
  type AnyUserArea,
  Chain,
  DEFAULT_ENGINE_OPTIONS,
  Engine,
  type EngineDependencies,
  UserEvents,
  type RebuildStore,
} from '@laurel/engine';
import { MemoryBatchStore } from '../projections/memory-batch-store.ts';
import { ACCOUNT } from './account.ts';
import { BEGINNING, VERSIONS, type CorrectStep, type Step } from './histories.ts';

/** Runs an account's life on an engine in memory. @returns the store with all its contents */
export async function live(
  steps: readonly Step[],
  maxBatch: number,
  documentOf: Living['documentOf'] = (document) => document,
  recentEvents?: Living['recentEvents'],
): Promise<MemoryBatchStore> {
  const { store, failures } = await liveOn(steps, { maxBatch, documentOf, ...(recentEvents && { recentEvents }) });
  if (failures.length > 0) throw new Error('an area failed', { cause: failures[0] });
  return store;
}

/** The options of a life. */
export interface Living {
  readonly maxBatch: number;
  /** Default: the areas of the product. */
  readonly areas?: readonly AnyUserArea[];
  readonly boards?: LeaderboardsArea;
  /** Receives committed events. Default: nothing does. */
  readonly recentEvents?: EngineDependencies['recentEvents'];
  /** Replaces a document before it is published. Default: unchanged. */
  readonly documentOf?: (document: unknown) => unknown;
}

/** Like {@link live}, but tolerates failing areas, and returns all answers to callers. */
export async function liveOn(
  steps: readonly Step[],
  { maxBatch, areas, boards, recentEvents, documentOf = (document) => document }: Living,
) {
  let now = BEGINNING;
  const { engine, store, failures } = await startEngine(
    clockAt(() => now),
    { maxBatch },
    areas,
    boards,
    undefined,
    recentEvents,
  );
  const outcomes: CommandResult[] = [];
  await engine.publishConfiguration(ACCOUNT, documentOf(VERSIONS[0]));
  for (const step of steps) {
    now += step.afterMs;
    switch (step.type) {
      case 'submit':
        outcomes.push(
          ...(
            await Promise.all(
              step.commands.filter((command) => isTaken(engine, command)).map((command) => engine.submit([command])),
            )
          ).flat(),
        );
        break;
      case 'import':
        outcomes.push(
          ...(await imported(
            engine,
            step.events.map((event) => ({ ...event, occurredAt: now - step.hoursBefore * 3_600_000 })),
          )),
        );
        await engine.finishImport(ACCOUNT);
        break;
      case 'sweep':
        await engine.sweep();
        break;
      case 'publish':
        // Publications of one version are distinguished by their instants.
        now++;
        await engine.publishConfiguration(ACCOUNT, documentOf(step.document));
        break;
      case 'correct': {
        const correction = correctionOf(step, store.records);
        if (correction !== null) outcomes.push(await engine.correct(ACCOUNT, correction));
      }
    }
  }
  await engine.close();
  return { store, failures, outcomes };
}

/** Over HTTP nobody can ask for points of a system that no version has named. */
function isTaken(engine: Engine, command: UserCommand): boolean {
  if (command.type !== 'RequestPoints') return true;
  return engine
    .publications(ACCOUNT)
    .some(({ document }) => JSON.stringify(document).includes(`"${command.request.system}"`));
}

/** null if there is no such event. */
export function correctionOf(step: CorrectStep, records: readonly RecordedEvent[]): CorrectionRecorded | null {
  const own = records.filter(({ fact }) => 'subject' in fact && fact.subject === step.subject).toReversed();
  const corrections = step.corrections.flatMap(({ place, ...change }): EventCorrection[] => {
    const record = own[place];
    if (record === undefined) return [];
    const { position, eventId, occurredAt } = record;
    if ('retract' in change) return [{ position, eventId, retract: true }];
    if (record.fact.type !== 'MetricEventRecorded') return [];
    const { value, hoursBefore, tz, occurredAt: instant } = change;
    return [
      {
        ...{ position, eventId, ...(value !== undefined && { value }), ...(tz !== undefined && { tz }) },
        ...(hoursBefore !== undefined && { occurredAt: occurredAt - hoursBefore * 3_600_000 }),
        ...(instant !== undefined && { occurredAt: instant }),
      },
    ];
  });
  if (corrections.length === 0) return null;
  const { subject, achievements, finalRuns } = step;
  return {
    ...{ type: 'CorrectionRecorded', subject, corrections, achievements, finalRuns },
    ...{ preview: 'p', keyHash: null, by: 'local', reason: 'a mistake' },
  };
}

/** Submits like an import, which only wants receipts. */
async function imported(engine: Engine, commands: readonly UserCommand[]): Promise<readonly CommandResult[]> {
  const outcomes = await engine.submit(commands, { receiptOnly: true });
  return outcomes.map((outcome) => (outcome.kind === 'refused' ? outcome : { ...outcome, sections: {} }));
}

export async function startEngine(
  clock: Clock,
  options: Partial<typeof DEFAULT_ENGINE_OPTIONS>,
  areas: readonly AnyUserArea[] = USER_AREAS,
  boards: LeaderboardsArea = emptyBoards(),
  store = new MemoryBatchStore(tablesWith(boards)),
  recentEvents: EngineDependencies['recentEvents'] = { add: () => undefined },
) {
  const failures: unknown[] = [];
  let ids = 0;
  const engine = await Engine.start(
    {
      store,
      log: store as never,
      chain: new Chain(areas, boards, (_area, _position, error) => failures.push(error)),
      clock,
      userEvents: new UserEvents((...asked) => store.positionsOf(...asked), store),
      newEventId: () => `00000000-0000-7000-8000-${String(++ids).padStart(12, '0')}`,
      originalDates: (keys) => Promise.resolve(keys.map(() => '2026-03-10')),
      compileHistory,
      openRebuild: () => Promise.reject(new Error('no rebuild here')),
      onQueueState: () => undefined,
      onSweepFailure: () => undefined,
      onDamagedState: () => undefined,
      recentEvents,
    },
    [ACCOUNT],
    { ...DEFAULT_ENGINE_OPTIONS, ...options },
  );
  return { engine, store, failures };
}

/** The boards of a rebuild into this store. */
export const rebuiltBoards = (store: () => RebuildStore) =>
  new LeaderboardsArea(
    { query: () => Promise.resolve([]) },
    { beginsEmpty: true, storeStandings: (rows) => store().put(rows) },
  );

export const emptyBoards = () => new LeaderboardsArea({ query: () => Promise.resolve([]) });

export const tablesWith = (boards: LeaderboardsArea): readonly AreaTable[] => tablesOf([...USER_AREAS, boards]);

export const clockAt = (now: () => number): Clock => ({
  now,
  elapsedMs: () => 0,
  after: (delayMs, task) => {
    if (delayMs >= 10_000) return () => undefined;
    const immediate = setImmediate(task);
    return () => clearImmediate(immediate);
  },
});
