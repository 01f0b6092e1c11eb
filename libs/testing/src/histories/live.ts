import { USER_AREAS } from '@laurel/areas';
import { compileHistory } from '@laurel/configuration';
import type { AreaTable, Clock } from '@laurel/contracts';
import { LeaderboardsArea } from '@laurel/leaderboards';
import { Chain, DEFAULT_ENGINE_OPTIONS, Engine } from '@laurel/projections';
import { MemoryBatchStore } from '../memory-batch-store.ts';
import { ACCOUNT } from './account.ts';
import { BEGINNING, VERSIONS, type Step } from './histories.ts';

/** An account's life on an engine in memory. @returns the store, with everything that it was given */
export async function live(steps: readonly Step[], maxBatch: number): Promise<MemoryBatchStore> {
  let now = BEGINNING;
  const { engine, store, failures } = await startEngine(
    clockAt(() => now),
    { maxBatch },
  );
  await engine.publishConfiguration(ACCOUNT, VERSIONS[0]);
  for (const step of steps) {
    now += step.afterMs;
    switch (step.type) {
      case 'submit':
        await Promise.all(step.commands.map((command) => engine.submit([command])));
        break;
      case 'import':
        await engine.submit(step.events.map((event) => ({ ...event, occurredAt: now - step.hoursBefore * 3_600_000 })));
        await engine.finishImport(ACCOUNT);
        break;
      case 'sweep':
        await engine.sweep();
        break;
      case 'publish':
        await engine.publishConfiguration(ACCOUNT, step.document);
    }
  }
  await engine.close();
  if (failures.length > 0) throw new Error('an area failed', { cause: failures[0] });
  return store;
}

export async function startEngine(clock: Clock, options: Partial<typeof DEFAULT_ENGINE_OPTIONS>) {
  const boards = emptyBoards();
  const store = new MemoryBatchStore(tablesWith(boards));
  const failures: unknown[] = [];
  let ids = 0;
  const engine = await Engine.start(
    {
      store,
      log: store as never,
      chain: new Chain(USER_AREAS, boards, (_area, _position, error) => failures.push(error)),
      clock,
      newEventId: () => `00000000-0000-7000-8000-${String(++ids).padStart(12, '0')}`,
      originalDates: (keys) => Promise.resolve(keys.map(() => '2026-03-10')),
      compileHistory,
      openRebuild: () => Promise.reject(new Error('no rebuild here')),
      onLaneState: () => undefined,
      onSweepFailure: () => undefined,
      onDamagedState: () => undefined,
    },
    [ACCOUNT],
    { ...DEFAULT_ENGINE_OPTIONS, ...options },
  );
  return { engine, store, failures };
}

export const emptyBoards = () => new LeaderboardsArea({ query: () => Promise.resolve([]) });

export const tablesWith = (boards: LeaderboardsArea): readonly AreaTable[] => [
  ...USER_AREAS.flatMap((area) => area.tables),
  ...boards.tables,
];

export const clockAt = (now: () => number): Clock => ({
  now,
  elapsedMs: () => 0,
  after: (delayMs, task) => {
    if (delayMs >= 10_000) return () => undefined;
    const immediate = setImmediate(task);
    return () => clearImmediate(immediate);
  },
});
