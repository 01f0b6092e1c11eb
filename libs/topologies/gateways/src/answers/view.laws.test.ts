import { achievementsArea } from '@laurel/achievements';
import { compileHistory, parseDocument } from '@laurel/configuration';
import {
  AREAS,
  StoreUnavailableError,
  tablesOf,
  type UserCommand,
  type ConfigurationHistory,
  type CommandResult,
  type AnswerParts,
  type StateReader,
  type ViewRequest,
} from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { keyHashOf } from '@laurel/event-store';
import { LeaderboardsArea } from '@laurel/leaderboards';
import { pointsArea } from '@laurel/points';
import { type AnyUserArea, Chain, DEFAULT_ENGINE_OPTIONS, Engine, userKey, UserEvents } from '@laurel/engine';
import { streaksArea } from '@laurel/streaks';
import { newUuid } from '@laurel/testing/random';
import { subjectOf } from '@laurel/testing/subjects';
import { MemoryBatchStore } from '@laurel/testing/projections';
import { usersArea } from '@laurel/users';
import fc from 'fast-check';
import { BoardClient, boardHandlers } from '@laurel/partitioned-boards';
import { sectionsOf } from './gathered.ts';
import { view } from './view.ts';

const USER_AREAS = [usersArea, streaksArea, achievementsArea, pointsArea] as readonly AnyUserArea[];
const AT = Date.parse('2026-03-01T12:00:00Z');
const HOUR_MS = 3_600_000;

const { document } = parseDocument(
  `
version: 1
metrics: [{ key: words, name: Words }, { key: lessons, name: Lessons }]
streak: { frequency: daily, mode: any, conditions: [{ metric: words, threshold: 1 }] }
achievements:
  - { key: first, name: First, trigger: { type: metric, metric: words, value: 5 } }
points:
  - key: xp
    name: Experience
    triggers: [{ type: metric, metric: words, threshold: 1, points: 3 }]
    levels: [{ key: some, name: Some, points: 10 }]
  - key: energy
    name: Energy
    maxPoints: 5
    triggers:
      - { type: user_creation, points: 5 }
      - { type: metric, metric: lessons, threshold: 1, points: -1 }
      - { type: time, unit: hour, interval: 4, points: 1 }
leaderboards:
  - { key: words, name: Words, rankBy: metric, metric: words, start: 2026-01-01, maxParticipants: 2 }
  - { key: daily, name: Daily, rankBy: metric, metric: words, start: 2026-01-01, runUnit: day, runInterval: 1 }
  - { key: xp, name: Experience, rankBy: points, pointsSystem: xp, start: 2026-01-01 }
  - { key: over, name: Over, rankBy: metric, metric: words, start: 2026-01-01, end: 2026-02-01 }
  - { key: energy, name: Energy, rankBy: points, pointsSystem: energy, start: 2026-01-01 }
  - { key: streak, name: Streak, rankBy: streak, start: 2026-01-01 }
`,
  'test configuration',
);

/** A process that runs the whole chain, and what a query gateway would read beside it. */
async function started() {
  let now = AT;
  const clock: Clock = { now: () => now, elapsedMs: () => now, after: () => () => undefined };
  const boardsArea = new LeaderboardsArea({ query: () => Promise.resolve([]) });
  const store = new MemoryBatchStore(tablesOf([...USER_AREAS, boardsArea]));
  const engine = await Engine.start(
    {
      store,
      log: store,
      chain: new Chain(USER_AREAS, boardsArea, (area, _position, error) => {
        throw new Error(area, { cause: error });
      }),
      clock,
      userEvents: new UserEvents((...asked) => store.positionsOf(...asked), store),
      newEventId: newUuid,
      originalDates: () => Promise.reject(new Error('all keys are known')),
      compileHistory,
      openRebuild: () => Promise.reject(new Error('no rebuild here')),
      onQueueState: () => undefined,
      onSweepFailure: () => undefined,
      onDamagedState: () => undefined,
    },
    ['default'],
    DEFAULT_ENGINE_OPTIONS,
  );
  await engine.publishConfiguration('default', document);
  const states: Pick<StateReader, 'read'> = {
    read: (account, subject, area) => {
      const stored = store.documents.get(userKey({ account, subject }));
      return Promise.resolve(stored === undefined ? null : (JSON.parse(stored) as Record<string, unknown>)[area]);
    },
  };
  const handlers = boardHandlers(() => ({ area: boardsArea, received: () => Promise.resolve(0) }), clock);
  const ask = async <T>({ name, payload }: { name: string; payload: (limitMs: number) => unknown }): Promise<T> =>
    ((await handlers.get(name)?.(payload(0))) as { answer: T }).answer;
  const configurations = (account: string): ConfigurationHistory => engine.historyOf(account);
  const parts = { userAreas: USER_AREAS, states, boards: new BoardClient({ ask }, 5), configurations };
  return { engine, parts, now: () => now, wait: (hours: number) => (now += hours * HOUR_MS) };
}

const command = (user: string, metric: string, value: number, key: string): UserCommand => ({
  type: 'RecordMetricEvent',
  account: 'default',
  subject: subjectOf(user),
  metric,
  value: BigInt(value) * 1_000_000n,
  user: user === 'bob' ? { tz: 'Pacific/Auckland' } : {},
  attributes: new Map(),
  keyHash: keyHashOf({ account: 'default', subject: subjectOf(user), metric, key }),
  occurredAt: null,
});

const sections = (outcome: CommandResult | undefined): AnswerParts => {
  if (outcome === undefined || outcome.kind === 'refused') throw new Error('refused');
  return Object.fromEntries(AREAS.map((area) => [area, outcome.sections[area]]));
};

const events = fc.record({
  user: fc.constantFrom('ada', 'bob', '__proto__'),
  metric: fc.constantFrom('words', 'lessons'),
  value: fc.integer({ min: -2, max: 9 }),
  hours: fc.constantFrom(0, 0, 3, 30),
});

describe('the view of a replay by a query gateway', () => {
  it('equals the answer of a process that runs the whole chain', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(events, { minLength: 1, maxLength: 12 }), async (history) => {
        const { engine, parts, now, wait } = await started();
        const dates: string[] = [];
        for (const [place, { user, metric, value, hours }] of history.entries()) {
          wait(hours);
          const [outcome] = await engine.submit([command(user, metric, value, `key ${place}`)]);
          dates.push(sections(outcome).users?.date ?? '');
        }
        wait(5);
        for (const [place, { user, metric, value }] of history.entries()) {
          const [outcome] = await engine.submit([command(user, metric, value, `key ${place}`)]);
          expect(outcome?.kind).toBe('replayed');
          const originalDate = dates[place] as string;
          const request: ViewRequest = {
            account: 'default',
            subject: subjectOf(user),
            metric,
            at: now(),
            originalDate,
          };
          const viewed = await view(parts, { request, configurationVersion: 1, limitMs: 1_000 });
          expect(viewed.pending).toEqual([]);
          expect(sectionsOf(viewed, engine.historyOf('default').current)).toEqual(sections(outcome));
        }
      }),
      { numRuns: 40 },
    );
  });
});

describe('the view of a replay', () => {
  const request: ViewRequest = {
    account: 'default',
    subject: subjectOf('ada'),
    metric: 'words',
    at: AT,
    originalDate: '2026-03-01',
  };
  const question = { request, configurationVersion: 1, limitMs: 1_000 };
  const unreachable = () => Promise.reject(new StoreUnavailableError('no owner'));

  it('shows the user areas when the boards are unreachable', async () => {
    const { engine, parts } = await started();
    await engine.submit([command('ada', 'words', 6, 'k')]);
    const viewed = await view({ ...parts, boards: { standings: unreachable } }, question);
    expect(viewed.pending).toEqual(['leaderboards']);
    expect(viewed.sections.users?.total).toBe(6_000_000n);
    expect(viewed.sections.leaderboards).toBeUndefined();
  });

  it('requests no standings when the event touches no board', async () => {
    const { parts } = await started();
    const other = { ...question, request: { ...request, metric: 'other' } };
    const viewed = await view({ ...parts, boards: { standings: unreachable } }, other);
    expect(viewed.pending).toEqual([]);
    expect(viewed.sections.leaderboards).toEqual({ boards: [] });
  });

  it('fails while the states are unreadable or the version is unknown, so it can be repeated', async () => {
    const { parts } = await started();
    await expect(view({ ...parts, states: { read: unreachable } }, question)).rejects.toThrow('no owner');
    await expect(view(parts, { ...question, configurationVersion: 2 })).rejects.toThrow();
  });
});
