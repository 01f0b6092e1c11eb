import { jest } from '@jest/globals';
import {
  StoreUnavailableError,
  areaOf,
  type AreaName,
  type UserCommand,
  type Configuration,
  type ConfigurationHistory,
  type DamagedState,
  type Metric,
  type CommandResult,
  type Refused,
  type RunKey,
} from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { FencedError, keyHashOf } from '@laurel/event-store';
import { newUuid } from '@laurel/testing/random';
import { subjectOf } from '@laurel/testing/subjects';
import { MemoryBatchStore, TallyBoards, tallyArea, type Trap } from '@laurel/testing/projections';
import { RefusedDataError } from '../storage/batch-store.ts';
import { Chain } from './chain.ts';
import { userKey, type AnyUserArea } from '../folding/document.ts';
import { UserEvents } from '../folding/user-events.ts';
import { DEFAULT_ENGINE_OPTIONS, Engine, type EngineOptions } from './engine.ts';
import type { Rebuild } from '../rebuild/rebuild.ts';
import { TablesInUseError, TakeOverUnknownError } from '../rebuild/rebuild-store.ts';

const AT = Date.parse('2026-03-01T12:00:00Z');

describe('the engine', () => {
  it('answers each command with its own outcome, in the order of recording', async () => {
    const { engine } = await started();
    const outcomes = await Promise.all(range(64).map(() => one(engine, add('ada'))));
    const totals = outcomes.map(tallyOf).sort((a, b) => a - b);
    expect(totals).toEqual(range(64).map((index) => index + 1));
  });

  it('batches commands that arrive during a commit', async () => {
    const { engine, store } = await started();
    await Promise.all(range(50).map((index) => one(engine, add(`user-${index}`))));
    expect(Math.max(...store.batchSizes)).toBeGreaterThan(10);
    expect(store.records.filter(({ fact }) => fact.type === 'MetricEventRecorded')).toHaveLength(50);
  });

  it('records one of many simultaneous requests with the same new idempotency key, and replays the others', async () => {
    const { engine, store } = await started();
    const outcomes = await Promise.all(range(64).map(() => one(engine, add('ada', 'k'))));
    expect(outcomes.filter(({ kind }) => kind === 'recorded')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'replayed')).toHaveLength(63);
    expect(new Set(outcomes.map((outcome) => outcome.kind !== 'refused' && outcome.eventId)).size).toBe(1);
    expect(eventsIn(store)).toHaveLength(1);
  });

  it('replays a key that was used before a restart, even if the user is cached', async () => {
    const { store } = await recordedOnce();
    const { engine } = await started({ store });
    await one(engine, add('ada', 'fresh'));
    expect((await one(engine, add('ada', 'k'))).kind).toBe('replayed');
    expect(eventsIn(store)).toHaveLength(2);
  });

  it('replays a key that an earlier release recorded in another encoding, even if the user is cached', async () => {
    const { engine, store } = await started();
    const original = await one(engine, add('ada', 'schlÃ¼ssel'));
    const read = { ...add('ada', 'schlüssel'), earlierKeyHashes: [hashOf('ada', 'schlÃ¼ssel')] };
    const other = { ...add('bob', 'schlüssel'), earlierKeyHashes: [hashOf('bob', 'schlÃ¼ssel')] };
    const outcomes = await engine.submit([read, other]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['replayed', 'recorded']);
    expect(outcomes[0]).toMatchObject({ eventId: (original as { eventId: string }).eventId });
    const { engine: restarted } = await started({ store });
    expect((await one(restarted, read)).kind).toBe('replayed');
    expect(eventsIn(store)).toHaveLength(2);
  });

  it('prefers the original of the present encoding of a key', async () => {
    const { engine } = await started();
    await one(engine, add('ada', 'schlÃ¼ssel'));
    const present = await one(engine, add('ada', 'schlüssel'));
    const read = { ...add('ada', 'schlüssel'), earlierKeys: ['schlÃ¼ssel'] };
    expect(await one(engine, read)).toMatchObject({ eventId: (present as { eventId: string }).eventId });
  });

  it('learns from the unique index that a key was used, and decides the batch again', async () => {
    const { store } = await recordedOnce();
    const { engine } = await started({ store });
    await one(engine, add('ada', 'fresh'));
    const outcomes = await engine.submit([add('bob'), add('ada', 'k'), add('ada'), add('ada', 'k')]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['recorded', 'replayed', 'recorded', 'replayed']);
    expect(tallyOf(outcomes[2] as CommandResult)).toBe(3);
  });

  it('never records an earlier instant than before if the clock goes back, even after a restart', async () => {
    const { engine, store } = await started();
    const outcomes = [await one(engine, add('ada'))];
    now -= 60_000;
    outcomes.push(...(await engine.submit([add('ada'), add('bob')])));
    await engine.close();
    const { engine: restarted } = await started({ store });
    outcomes.push(await one(restarted, add('ada')));
    now = AT + 1_000;
    outcomes.push(await one(restarted, add('ada')));
    now = AT;
    const recorded = eventsIn(store).map(({ recordedAt }) => recordedAt - AT);
    expect(recorded).toEqual([0, 0, 0, 0, 1_000]);
    const occurred = outcomes.map((outcome) => (outcome.kind === 'recorded' ? outcome.occurredAt - AT : null));
    expect(occurred).toEqual([0, -60_000, -60_000, -60_000, 1_000]);
  });

  it('discards the changes of a failed commit', async () => {
    const { engine, store, boards } = await started();
    store.faults.push(
      { kind: 'before', error: new Error('connection reset') },
      { kind: 'before', error: new Error('connection reset') },
    );
    const outcomes = await Promise.all(range(20).map(() => one(engine, add('ada'))));
    expect(outcomes.map(tallyOf).sort((a, b) => a - b)).toEqual(range(20).map((index) => index + 1));
    expect(eventsIn(store)).toHaveLength(20);
    expect(boards.published).toBe(20);
    expect(boards.openLayers).toBe(0);
  });

  it('asks the event store about a commit whose answer was lost, and never records twice', async () => {
    const { engine, store } = await started();
    store.faults.push({ kind: 'after', error: new Error('connection reset') });
    expect(tallyOf(await one(engine, add('ada')))).toBe(1);
    expect(tallyOf(await one(engine, add('ada')))).toBe(2);
    expect(eventsIn(store)).toHaveLength(2);
  });

  it('refuses exactly the event that the database refuses, wherever it is in the batch', async () => {
    for (const place of [0, 7, 31, 63]) {
      const { engine, store } = await started();
      store.poison = ({ fact }) =>
        fact.type === 'MetricEventRecorded' && fact.subject === subjectOf('poison')
          ? new RefusedDataError('22P05')
          : null;
      const outcomes = await Promise.all(
        range(64).map((index) => one(engine, add(index === place ? 'poison' : 'ada'))),
      );
      expect(outcomes.map(({ kind }) => kind)).toEqual(
        range(64).map((index) => (index === place ? 'refused' : 'recorded')),
      );
      expect((outcomes[place] as Refused).reason).toBe('rejected');
      expect(eventsIn(store)).toHaveLength(63);
    }
  });

  it('refuses an event of a user whose state is unreadable, without reporting the store as unavailable', async () => {
    const { store } = await recordedOnce();
    store.documents.set(userKey({ account: 'default', subject: subjectOf('ada') }), 'broken');
    const { engine } = await started({ store });
    expect(await one(engine, add('ada'))).toMatchObject({ kind: 'refused', reason: 'damaged' });
    expect(engine.status().queue).toBe('open');
    expect(tallyOf(await one(engine, add('bob')))).toBe(1);
  });

  it('refuses requests beyond its capacity, each as a whole', async () => {
    const { engine, store } = await started({ options: { capacity: 10 } });
    const [all, none] = await Promise.all([
      engine.submit(range(8).map(() => add('ada'))),
      engine.submit(range(3).map(() => add('bob'))),
    ]);
    expect(all.map(({ kind }) => kind)).toEqual(range(8).map(() => 'recorded'));
    expect(none).toEqual(
      range(3).map(() => ({ kind: 'refused', reason: 'overloaded', eventId: null, retryAfterMs: 1_000 })),
    );
    expect(eventsIn(store)).toHaveLength(8);
  });

  it('refuses everything else in a stream after an overload, until the stream resumes', async () => {
    const { engine, store } = await started({ options: { capacity: 10 } });
    const stream = { interrupted: false };
    const submit = (count: number) =>
      engine.submit(
        range(count).map(() => add('ada')),
        { stream },
      );
    const [first, tooMuch, behind] = await Promise.all([submit(8), submit(3), submit(1)]);
    expect(first.map(({ kind }) => kind)).toEqual(range(8).map(() => 'recorded'));
    expect([tooMuch, behind].map(([outcome]) => (outcome as Refused).reason)).toEqual(['overloaded', 'unavailable']);
    expect([stream.interrupted, eventsIn(store).length]).toEqual([true, 8]);
    expect(await submit(1)).toMatchObject([{ reason: 'unavailable' }]);
    stream.interrupted = false;
    expect(await submit(3)).toMatchObject(range(3).map(() => ({ kind: 'recorded' })));
    expect(stream.interrupted).toBe(false);
  });

  it('interrupts a stream once the store has been unavailable for too long', async () => {
    const { engine, store } = await started({ options: { maxBatch: 1 } });
    const stream = { interrupted: false };
    store.reachable = false;
    await Promise.all(range(3).map(() => engine.submit([add('ada')], { stream })));
    expect(stream.interrupted).toBe(true);
    store.reachable = true;
    await until(
      () => one(engine, add('bob')),
      ({ kind }) => kind === 'recorded',
    );
    expect(await engine.submit([add('ada')], { stream })).toMatchObject([{ kind: 'refused', reason: 'unavailable' }]);
  });

  it('continues a stream after an event that is refused for its own content', async () => {
    const { engine, store } = await started();
    const stream = { interrupted: false };
    store.poison = ({ fact }) =>
      fact.type === 'MetricEventRecorded' && fact.subject === subjectOf('poison')
        ? new RefusedDataError('22P05')
        : null;
    const outcomes = await engine.submit([add('poison'), add('ada')], { stream });
    expect(outcomes.map(({ kind }) => kind)).toEqual(['refused', 'recorded']);
    expect(stream.interrupted).toBe(false);
  });

  it('refuses requests with too many bytes, and accepts them once there is room', async () => {
    const { engine, store } = await started({ options: { capacityBytes: 100_000 } });
    const large = { ...add('ada'), attributes: new Map([['k', 'ä'.repeat(20_000)]]) };
    const [taken, refused] = await Promise.all([engine.submit([large, large]), engine.submit([large])]);
    expect(taken.map(({ kind }) => kind)).toEqual(['recorded', 'recorded']);
    expect(refused).toEqual([{ kind: 'refused', reason: 'overloaded', eventId: null, retryAfterMs: 1_000 }]);
    expect((await one(engine, large)).kind).toBe('recorded');
    expect(eventsIn(store)).toHaveLength(3);
    expect(engine.status().waiting).toBe(0);
  });

  it('refuses waiting commands if the store stays unavailable', async () => {
    const { engine, store } = await started({ options: { maxBatch: 1 } });
    store.reachable = false;
    const [sent, waiting] = await Promise.all([one(engine, add('ada')), one(engine, add('ada'))]);
    expect(sent).toMatchObject({ kind: 'refused', reason: 'unavailable' });
    expect(waiting).toMatchObject({ kind: 'refused', reason: 'unavailable' });
    expect(await one(engine, add('ada'))).toMatchObject({ kind: 'refused', reason: 'unavailable' });
    store.reachable = true;
    const outcome = await until(
      () => one(engine, add('ada')),
      ({ kind }) => kind === 'recorded',
    );
    expect(tallyOf(outcome)).toBe(1);
  });

  it('refuses what the store rejects for lack of space, and recovers with it', async () => {
    const { engine, store } = await started();
    store.poison = () => Object.assign(new Error('disk full'), { code: '53100' });
    expect(await one(engine, add('ada'))).toMatchObject({ kind: 'refused', reason: 'unavailable' });
    expect(eventsIn(store)).toHaveLength(0);
    store.poison = () => null;
    expect(
      tallyOf(
        await until(
          () => one(engine, add('ada')),
          ({ kind }) => kind === 'recorded',
        ),
      ),
    ).toBe(1);
  });

  it('reports for thirty seconds that the store rejects commits, or until one succeeds', async () => {
    const { engine, store } = await started();
    store.poison = () => Object.assign(new Error('disk full'), { code: '53100' });
    await one(engine, add('ada'));
    expect(engine.status().queue).toBe('waiting');
    elapsed += 30_000;
    expect(engine.status().queue).toBe('open');
    await one(engine, add('ada'));
    expect(engine.status().queue).toBe('waiting');
    store.poison = () => null;
    expect(await one(engine, add('ada'))).toMatchObject({ kind: 'recorded' });
    expect(engine.status().queue).toBe('open');
  });

  it('still reports a rejecting store after it has only replayed a used key', async () => {
    const { engine, store } = await started();
    await engine.submit([add('ada', 'k'), add('ada', 'k')]);
    store.poison = () => Object.assign(new Error('disk full'), { code: '53100' });
    await one(engine, add('ada'));
    expect(await one(engine, add('ada', 'k'))).toMatchObject({ kind: 'replayed' });
    expect(engine.status().queue).toBe('waiting');
  });

  it('names the event whose outcome it cannot determine in time', async () => {
    const { engine, store } = await started();
    await one(engine, add('ada'));
    store.faults.push({ kind: 'after', error: new Error('connection reset') });
    const submitted = one(engine, add('ada'));
    await until(
      () => Promise.resolve(eventsIn(store).length),
      (events) => events === 2,
    );
    store.reachable = false;
    const outcome = await submitted;
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'unknown', eventId: store.records.at(-1)?.eventId });
    store.reachable = true;
    expect(
      tallyOf(
        await until(
          () => one(engine, add('ada')),
          ({ kind }) => kind === 'recorded',
        ),
      ),
    ).toBe(3);
  });

  it('writes nothing once another writer has taken over', async () => {
    const { engine, store } = await started();
    store.faults.push({ kind: 'before', error: new FencedError() });
    expect(await one(engine, add('ada'))).toMatchObject({ kind: 'refused', reason: 'unavailable' });
    expect(await one(engine, add('ada'))).toMatchObject({ kind: 'refused', reason: 'unavailable' });
    expect(engine.status().queue).toBe('fenced');
    expect(eventsIn(store)).toHaveLength(0);
  });

  it('reports an unknown outcome if another writer took over before it could be determined', async () => {
    const { engine, store } = await started();
    store.faults.push({ kind: 'after', error: new Error('connection reset') });
    store.isCommitted = () => Promise.reject(new FencedError());
    const outcome = await one(engine, add('ada'));
    expect(eventsIn(store)).toHaveLength(1);
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'unknown', eventId: store.records.at(-1)?.eventId });
    expect(await one(engine, add('ada'))).toMatchObject({ kind: 'refused', reason: 'unavailable' });
  });

  it('answers everything it has accepted before it closes', async () => {
    const { engine, store } = await started();
    const submitted = engine.submit(range(30).map(() => add('ada')));
    await engine.close();
    expect((await submitted).every(({ kind }) => kind === 'recorded')).toBe(true);
    expect(await one(engine, add('ada'))).toMatchObject({ kind: 'refused', reason: 'unavailable' });
    expect(eventsIn(store)).toHaveLength(30);
  });
});

describe('closing the engine while the store is unavailable', () => {
  it('refuses waiting commands instead of waiting forever', async () => {
    const { engine, store } = await started();
    store.reachable = false;
    const submitted = one(engine, add('ada'));
    await engine.close();
    expect(await submitted).toMatchObject({ kind: 'refused' });
  });
});

describe('an area that throws', () => {
  const onThird = (): Trap => ({
    throwsOn: ({ value }) => value === 3_000_000n,
  });

  it('halts itself and the areas after it, while recording and the areas before it continue', async () => {
    const { engine, store } = await started({ traps: { streaks: onThird() } });
    const outcomes = [];
    for (const value of [1, 2, 3, 4]) outcomes.push(await one(engine, add('ada', null, value)));
    expect(outcomes.map((outcome) => outcome.kind === 'recorded' && outcome.pending)).toEqual([
      [],
      [],
      ['streaks', 'points', 'leaderboards'],
      ['streaks', 'points', 'leaderboards'],
    ]);
    expect(engine.status().areas.map(({ area, position, failure }) => [area, position, failure !== null])).toEqual([
      ['users', 5, false],
      ['streaks', 3, true],
      ['points', 3, false],
      ['leaderboards', 3, false],
    ]);
    expect(store.rows.get('users_rows')).toHaveLength(4);
    expect(store.rows.get('streaks_rows')).toHaveLength(2);
    expect(store.rows.get('points_rows')).toHaveLength(2);
  });

  it.each(['users', 'streaks', 'points', 'leaderboards'] as const)(
    'catches up after a restart once %s is repaired, with the same result as without a failure',
    async (area) => {
      const undisturbed = await started();
      const trap = onThird();
      const { engine, store } = await started({ traps: { [area]: trap } });
      const sent = [1, 2, 3, 4, 3, 5].flatMap((value) => [add('ada', null, value), add('bob', null, value)]);
      await undisturbed.engine.submit(sent);
      await engine.submit(sent);
      await engine.close();
      const repaired = await started({ store });
      expect(store.inbox).toEqual([]);
      expect(repaired.engine.status().areas.every(({ failure }) => failure === null)).toBe(true);
      expect(store.documents).toEqual(undisturbed.store.documents);
      expect(store.rows).toEqual(undisturbed.store.rows);
      expect(tallyOf(await one(repaired.engine, add('ada')))).toBe(7);
    },
  );

  it('resumes catching up after a crash', async () => {
    const undisturbed = await started();
    const { engine, store } = await started({ traps: { streaks: { throwsOn: ({ position }) => position > 10 } } });
    const sent = range(700).map((index) => add(`user-${index % 3}`, null, index));
    await undisturbed.engine.submit(sent);
    await engine.submit(sent);
    await engine.close();
    store.faults.push({ kind: 'none' }, { kind: 'none' }, { kind: 'before', error: new Error('crash') });
    await expect(started({ store })).rejects.toThrow('crash');
    expect(store.inbox.length).toBeGreaterThan(0);
    await started({ store });
    expect(store.inbox).toEqual([]);
    expect(store.documents).toEqual(undisturbed.store.documents);
    expect(store.rows).toEqual(undisturbed.store.rows);
  });

  it('stays halted at the event at which it fails again', async () => {
    const { engine, store } = await started({ traps: { points: onThird() } });
    await engine.submit([add('ada', null, 1), add('ada', null, 3), add('ada', null, 4)]);
    await engine.close();
    const again = await started({ store, traps: { points: onThird() } });
    expect(store.inbox).toHaveLength(2);
    expect(again.engine.status().areas.find(({ area }) => area === 'points')).toMatchObject({ position: 2 });
    const areas = ['points', 'leaderboards'];
    expect(await one(again.engine, add('ada'))).toMatchObject({ kind: 'recorded', pending: areas });
  });

  it('catches up while an area after it stays halted', async () => {
    const { engine, store } = await started({ traps: { users: onThird() } });
    await engine.submit([add('ada', null, 1), add('ada', null, 3), add('ada', null, 4)]);
    await engine.close();
    const half = await started({ store, traps: { points: onThird() } });
    expect(half.engine.status().areas.map(({ area, failure }) => [area, failure !== null])).toEqual([
      ['users', false],
      ['streaks', false],
      ['points', true],
      ['leaderboards', false],
    ]);
    expect(store.inbox.map(({ area }) => area)).toEqual(['points', 'points']);
    const whole = await started({ store });
    expect(store.inbox).toEqual([]);
    expect(tallyOf(await one(whole.engine, add('ada')))).toBe(4);
  });
});

describe('an import', () => {
  it('is opened by the first event that brings its own instant, and closed once', async () => {
    const { engine, store } = await started();
    await engine.submit([
      add('ada'),
      { ...add('ada'), occurredAt: AT - 1_000 },
      { ...add('ada'), occurredAt: AT - 500 },
    ]);
    expect(await engine.finishImport('default')).toEqual({ closed: true });
    expect(await engine.finishImport('default')).toEqual({ closed: false });
    expect(store.records.map(({ fact }) => fact.type)).toEqual([
      'ConfigurationPublished',
      'MetricEventRecorded',
      'ImportOpened',
      'MetricEventRecorded',
      'MetricEventRecorded',
      'ImportClosed',
    ]);
  });

  it('is recorded with its actors and reasons', async () => {
    const { engine, store } = await started();
    const admin = { by: 'a-key', reason: 'old data' };
    await engine.submit([{ ...add('ada'), occurredAt: AT, importedBy: 'another-key' }]);
    await engine.openImport('default', { unboundedAwards: true, outgoing: false }, admin);
    await engine.openImport('default', { unboundedAwards: true, outgoing: true }, admin);
    await engine.finishImport('default', admin);
    const brackets = store.records.map(({ fact }) => fact).filter(({ type }) => type.startsWith('Import'));
    expect(brackets).toEqual([
      { type: 'ImportOpened', by: 'another-key' },
      { type: 'ImportOpened', unboundedAwards: true, ...admin },
      { type: 'ImportOpened', unboundedAwards: true, outgoing: true, ...admin },
      { type: 'ImportClosed', cause: 'finished', ...admin },
    ]);
  });

  it('is shown with its actor and number of events, even after a restart', async () => {
    const { engine, store } = await started();
    expect(await engine.importProgress('default')).toBeNull();
    await engine.submit([add('ada'), { ...add('ada'), occurredAt: AT - 1_000, importedBy: 'a-key' }, add('ada')]);
    const none = { unboundedAwards: false, outgoing: false };
    const opened = { openedAt: AT, attribution: { by: 'a-key' }, ...none, events: 2 };
    expect(await engine.importProgress('default')).toMatchObject(opened);
    await engine.close();
    const restarted = await started({ store });
    expect(await restarted.engine.importProgress('default')).toMatchObject(opened);
    const local = { by: 'local', reason: 'old data' };
    await restarted.engine.openImport('default', { ...none, outgoing: true }, local);
    await restarted.engine.close();
    const again = await started({ store });
    const reopened = { attribution: local, ...none, outgoing: true, events: 0 };
    expect(await again.engine.importProgress('default')).toMatchObject(reopened);
    const same = { ...none, outgoing: true };
    expect(await again.engine.openImport('default', same)).toEqual({ opened: false, ...same });
    await again.engine.finishImport('default');
    expect(await again.engine.importProgress('default')).toBeNull();
  });

  it('is not opened by a replay, and stays open across a restart', async () => {
    const { engine, store } = await started();
    await engine.submit([{ ...add('ada', 'k'), occurredAt: AT }]);
    await engine.close();
    const restarted = await started({ store });
    await restarted.engine.submit([{ ...add('ada', 'k'), occurredAt: AT }]);
    expect(await restarted.engine.finishImport('default')).toEqual({ closed: true });
    await restarted.engine.submit([{ ...add('ada', 'k'), occurredAt: AT }]);
    expect(await restarted.engine.finishImport('default')).toEqual({ closed: false });
  });

  it('stays closed after a restart', async () => {
    const { engine, store } = await started();
    await engine.submit([{ ...add('ada'), occurredAt: AT }]);
    await engine.finishImport('default');
    await engine.close();
    const { engine: restarted } = await started({ store });
    expect(restarted.importOpen('default')).toBe(false);
  });

  it('is restored without reading the sweeps of the account', async () => {
    const { engine, store } = await started();
    await engine.close();
    const read = jest.spyOn(store, 'readAccountEvents');
    await started({ store });
    expect(read.mock.calls).toEqual([['default', expect.not.arrayContaining(['UsersSwept'])]]);
  });
});

describe('the take-over of a rebuild', () => {
  const rebuilding = (takeOver: () => Promise<void>) => {
    const steps: string[] = [];
    const step =
      (name: string, work: () => Promise<void> = () => Promise.resolve()) =>
      async () => {
        steps.push(name);
        await work();
      };
    const rebuild = {
      areas: ['points', 'leaderboards'],
      catchUp: step('catch up'),
      prepareTakeOver: step('prepare'),
      openComparison: () => Promise.reject(new Error('nobody compares')),
      takeOver: step('take over', takeOver),
      close: step('close'),
    };
    return { steps, rebuild: rebuild as unknown as Rebuild };
  };

  it('has exclusive use of the queue, and commands that arrive meanwhile are recorded afterwards', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const { rebuild, steps } = rebuilding(() => held);
    const { engine, store, boards } = await started({ rebuild });
    await one(engine, add('ada'));
    const running = engine.rebuild([]);
    await until(
      async () => steps,
      (seen) => seen.includes('take over'),
    );
    const recorded = Promise.all(range(5).map(() => one(engine, add('ada'))));
    for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
    expect(eventsIn(store)).toHaveLength(1);
    expect(boards.openLayers).toBe(0);
    release();
    await running;
    expect((await recorded).map(tallyOf)).toEqual([2, 3, 4, 5, 6]);
    expect(steps).toEqual(['catch up', 'prepare', 'catch up', 'catch up', 'take over', 'close']);
  });

  it('releases the queue while the tables are in use, and tries again', async () => {
    let attempts = 0;
    const { rebuild, steps } = rebuilding(() => {
      attempts++;
      return attempts < 3 ? Promise.reject(new TablesInUseError()) : Promise.resolve();
    });
    const { engine } = await started({ rebuild });
    const running = engine.rebuild([]);
    await until(
      async () => attempts,
      (made) => made === 1,
    );
    expect(tallyOf(await one(engine, add('ada')))).toBe(1);
    await running;
    expect(attempts).toBe(3);
    expect(steps.at(-1)).toBe('close');
  });

  it('leaves everything as it was if it fails, and can be tried again', async () => {
    const { rebuild } = rebuilding(() => Promise.reject(new Error('a view depends on it')));
    const { engine } = await started({ rebuild });
    for (let tries = 0; tries < 2; tries++) await expect(engine.rebuild([])).rejects.toThrow('a view depends on it');
    expect(tallyOf(await one(engine, add('ada')))).toBe(1);
  });

  it('fences the engine if its outcome is unknown', async () => {
    const { rebuild } = rebuilding(() => Promise.reject(new TakeOverUnknownError('unknown')));
    const states: string[] = [];
    const { engine } = await started({ rebuild, onQueueState: (state) => states.push(state) });
    await expect(engine.rebuild([])).rejects.toThrow('unknown');
    expect(states).toEqual(['fenced']);
  });

  it('resumes halted areas, and ends before the engine closes', async () => {
    const { rebuild, steps } = rebuilding(() => Promise.resolve());
    const { engine } = await started({ rebuild, traps: { points: { throwsOn: () => true } } });
    expect(await one(engine, add('ada'))).toMatchObject({ kind: 'recorded', pending: ['points', 'leaderboards'] });
    expect(() => engine.areasToRebuild(['points'])).toThrow('leaderboards');
    await engine.rebuild(['points', 'leaderboards']);
    expect(engine.status().areas.map(({ failure }) => failure)).toEqual([null, null, null, null]);
    const last = engine.rebuild([]).catch(() => undefined);
    await engine.close();
    expect(steps.filter((name) => name === 'close')).toHaveLength(2);
    await last;
  });
});

describe('publishing a configuration', () => {
  it('replaces the version in force while the account has no events, and adds a version afterwards', async () => {
    const { engine } = await started();
    expect((await engine.publishConfiguration('default', { b: 1 })).current.version).toBe(1);
    await one(engine, add('ada'));
    expect((await engine.publishConfiguration('default', { b: 2 })).current.version).toBe(2);
    const outcome = await one(engine, add('ada'));
    expect(outcome.kind === 'recorded' && outcome.configuration.version).toBe(2);
  });

  it('still replaces the version if only keys and imports are recorded, even after a restart', async () => {
    const { engine, store } = await started();
    await engine.recordAccountEvent('default', { type: 'ApiKeyRevoked', id: 'k', by: 'local' }, 5);
    await engine.openImport('default', { unboundedAwards: false, outgoing: false });
    await engine.finishImport('default');
    expect((await engine.publishConfiguration('default', { b: 1 })).current.version).toBe(1);
    await engine.close();
    const { engine: restarted } = await started({ store });
    expect(restarted.holdsEvents('default')).toBe(false);
    expect(store.records[1]).toMatchObject({ occurredAt: 5, fact: { type: 'ApiKeyRevoked', id: 'k', by: 'local' } });
  });

  it('records actor and reason, which are known after a restart', async () => {
    const { engine, store } = await started();
    await engine.publishConfiguration('default', { b: 1 }, { by: 'local', reason: 'a better name' });
    await engine.close();
    const { engine: restarted } = await started({ store });
    for (const { publications } of [engine, restarted].map((one) => ({ publications: one.publications('default') })))
      expect(publications).toMatchObject([{ version: 1, by: 'local', reason: 'a better name' }]);
  });
});

describe('a damaged state', () => {
  const HELD_MS = 10_000;
  const DAMAGE = { account: 'default', subject: subjectOf('ada'), area: 'streaks' };
  const others = () => range(40).map((index) => add(`user-${index}`));

  /** Restarted, so that nothing is in memory, with one state of ada that is no tally. */
  async function damaged({ store, ...more }: Start = {}) {
    const before = await started({ ...(store && { store }) });
    await before.engine.submit([add('ada', 'k'), ...others()]);
    await before.engine.close();
    const stored = before.store.documents.get(ADA) ?? '';
    const parts = JSON.parse(stored);
    before.store.documents.set(ADA, JSON.stringify({ ...parts, streaks: {} }));
    const repair = () => before.store.documents.set(ADA, stored);
    failWhenReadAgainAndAgain(before.store);
    return { ...(await started({ store: before.store, ...more })), repair };
  }
  const ADA = userKey({ account: 'default', subject: subjectOf('ada') });

  /** A user who is not held would be read for ever, before any time-out could end the test. */
  function failWhenReadAgainAndAgain(store: MemoryBatchStore): void {
    const load = store.loadDocuments.bind(store);
    let loads = 0;
    store.loadDocuments = (users) =>
      ++loads > 500 ? Promise.reject(new Error('users are read again and again')) : load(users);
  }

  it('refuses the commands of its user, names the user, and delays nobody else', async () => {
    const told: DamagedState[] = [];
    const { engine, store } = await damaged({ onDamagedState: (damage) => told.push(damage) });
    const head = store.records.length;
    const before = elapsed;
    const [first, ...rest] = await engine.submit([add('ada'), ...others(), add('ada'), add('user-1')]);
    expect(elapsed).toBe(before);
    expect(first).toMatchObject({ kind: 'refused', reason: 'damaged', retryAfterMs: HELD_MS, damage: DAMAGE });
    expect(rest.map(({ kind }) => kind)).toEqual([...others().map(() => 'recorded'), 'refused', 'recorded']);
    expect(store.records).toHaveLength(head + others().length + 1);
    expect(told).toMatchObject([DAMAGE]);
    expect(engine.status()).toMatchObject({ damagedUsers: 1, damaged: [DAMAGE], queue: 'open' });
  });

  it('is not read again for ten seconds, after which a repaired user continues', async () => {
    const told: DamagedState[] = [];
    const { engine, store, repair } = await damaged({ onDamagedState: (damage) => told.push(damage) });
    const loads: number[] = [];
    const load = store.loadDocuments.bind(store);
    store.loadDocuments = (users) => {
      loads.push(...users.map(({ subject }) => subject));
      return load(users);
    };
    await one(engine, add('ada'));
    elapsed += HELD_MS - 1;
    expect(await one(engine, add('ada'))).toMatchObject({ reason: 'damaged', retryAfterMs: 1 });
    expect(loads).toEqual([subjectOf('ada')]);
    elapsed += 1;
    expect(await one(engine, add('ada'))).toMatchObject({ reason: 'damaged', retryAfterMs: HELD_MS });
    expect(told).toMatchObject([DAMAGE]);
    repair();
    elapsed += HELD_MS;
    expect(tallyOf(await one(engine, add('ada')))).toBe(2);
    expect(loads).toEqual(['ada', 'ada', 'ada'].map(subjectOf));
    expect(engine.status()).toMatchObject({ damagedUsers: 0, damaged: [] });
  });

  it('is read by the next batch if its ten seconds end while one is decided', async () => {
    const { engine, store } = await damaged();
    await one(engine, add('ada'));
    elapsed += HELD_MS - 1;
    const find = store.findKeys.bind(store);
    store.findKeys = (keys) => {
      elapsed += 1;
      return find(keys);
    };
    const before = elapsed;
    expect(await one(engine, add('ada', 'fresh'))).toMatchObject({ reason: 'damaged', damage: DAMAGE });
    expect(elapsed - before).toBeLessThanOrEqual(2);
    expect(engine.status().damaged).toMatchObject([DAMAGE]);
  });

  it('does not prevent a replay', async () => {
    const { engine, store } = await damaged();
    const original = store.records.find(({ fact }) => 'subject' in fact && fact.subject === subjectOf('ada'));
    const replayed = {
      kind: 'replayed',
      eventId: original?.eventId,
      pending: engine.status().areas.map(({ area }) => area),
    };
    for (const _ of range(2)) expect(await one(engine, add('ada', 'k'))).toMatchObject(replayed);
    expect(await one(engine, add('ada', 'other'))).toMatchObject({ reason: 'damaged' });
  });

  it('does not prevent a replay even if the user was quarantined before the key was looked up', async () => {
    const { engine } = await damaged();
    expect(await one(engine, add('ada'))).toMatchObject({ reason: 'damaged' });
    expect(await one(engine, add('ada', 'k'))).toMatchObject({ kind: 'replayed', sections: {} });
  });

  it('is repaired by a rebuild', async () => {
    let repair = (): unknown => undefined;
    const rebuild = {
      areas: ['streaks'],
      catchUp: () => Promise.resolve(),
      prepareTakeOver: () => Promise.resolve(),
      openComparison: () => Promise.reject(new Error('nobody compares')),
      takeOver: () => Promise.resolve(repair()),
      close: () => Promise.resolve(),
    } as unknown as Rebuild;
    const opened = await damaged({ rebuild });
    repair = opened.repair;
    expect(await one(opened.engine, add('ada'))).toMatchObject({ reason: 'damaged' });
    await opened.engine.rebuild(['streaks']);
    expect(tallyOf(await one(opened.engine, add('ada')))).toBe(2);
  });

  it('does not prevent a sweep from settling the other users', async () => {
    const { engine, store } = await damaged();
    for (const subject of ['ada', 'user-0', 'user-1'].map(subjectOf)) {
      const user = { account: 'default', subject };
      store.due.set(userKey(user), { ...user, dueAt: AT - 1 });
    }
    await engine.sweep();
    expect([...store.due.values()].map(({ subject }) => subject)).toEqual([subjectOf('ada')]);
    expect(engine.status()).toMatchObject({ damagedUsers: 1 });
    const looks = jest.spyOn(store, 'dueUsers');
    await engine.sweep();
    expect(looks).toHaveBeenCalledTimes(1);
  });

  it('is skipped by a sweep that continues after the last user of the previous step', async () => {
    const { engine, store } = await damaged({ options: { sweepStep: 1 } });
    await engine.sweep();
    const [first = 0, second = 0] = ['user-0', 'user-1'].map(subjectOf).sort((a, b) => a - b);
    for (const subject of [subjectOf('ada'), first, second]) {
      const user = { account: 'default', subject };
      store.due.set(userKey(user), { ...user, dueAt: AT - 1 });
    }
    const looks = jest.spyOn(store, 'dueUsers');
    await engine.sweep();
    expect(looks.mock.calls.map(([, , after]) => after?.subject ?? null)).toEqual([null, first, second, null]);
  });

  it('takes no place of other users in the steps of a sweep', async () => {
    const { engine, store } = await damaged({ options: { sweepStep: 1 } });
    await one(engine, add('ada'));
    for (const subject of ['ada', 'user-0', 'user-1'].map(subjectOf)) {
      const user = { account: 'default', subject };
      store.due.set(userKey(user), { ...user, dueAt: AT - 1 });
    }
    await engine.sweep();
    expect([...store.due.values()].map(({ subject }) => subject)).toEqual([subjectOf('ada')]);
  });

  it('is detected as well if an area can decode it but not use it', async () => {
    const streaks: AnyUserArea = {
      ...tallyArea('streaks'),
      settleBound: (state, _configuration, upTo) => {
        if ((state as { readonly sum: string }).sum === 'much') throw new TypeError('much is no number');
        return upTo;
      },
    };
    const { engine, store, repair } = await damaged({ areas: [tallyArea('users'), streaks, tallyArea('points')] });
    repair();
    const stored = JSON.parse(store.documents.get(ADA) ?? '') as object;
    store.documents.set(ADA, JSON.stringify({ ...stored, streaks: { count: 1, sum: 'much' } }));
    const before = elapsed;
    const [first, ...rest] = await engine.submit([add('ada'), ...others()]);
    expect(elapsed).toBe(before);
    expect(first).toMatchObject({ reason: 'damaged', damage: { ...DAMAGE, reason: 'much is no number' } });
    expect(rest.map(({ kind }) => kind)).toEqual(others().map(() => 'recorded'));
  });

  it('is quarantined once per command of a batch, even if that does not help', async () => {
    let tries = 0;
    const streaks: AnyUserArea = {
      ...tallyArea('streaks'),
      settleBound: (state, _configuration, upTo) => {
        if ((state as { readonly sum: string }).sum !== 'much' || tries > 500) return upTo;
        tries++;
        throw new TypeError('much is no number');
      },
    };
    const { engine, store, boards, repair } = await damaged({
      areas: [tallyArea('users'), streaks, tallyArea('points')],
      options: { waitLimitMs: 100 * HELD_MS },
    });
    repair();
    const stored = JSON.parse(store.documents.get(ADA) ?? '') as object;
    store.documents.set(ADA, JSON.stringify({ ...stored, streaks: { count: 1, sum: 'much' } }));
    const open = boards.openLayer.bind(boards);
    boards.openLayer = (below) => {
      // Nobody is held any more when the next batch is begun.
      elapsed += HELD_MS;
      return open(below);
    };
    const outcomes = await engine.submit([add('ada'), add('user-1'), add('user-2')]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['refused', 'recorded', 'recorded']);
    expect(outcomes[0]).toMatchObject({ reason: 'damaged', damage: DAMAGE });
    expect(tries).toBeLessThanOrEqual(10);
  });

  it('is refused in the end even if its ten seconds always end during a decision', async () => {
    const { engine, store } = await damaged({ options: { waitLimitMs: 100 * HELD_MS } });
    let loads = 0;
    const [load, find] = [store.loadDocuments.bind(store), store.findKeys.bind(store)];
    store.loadDocuments = (users) => {
      loads++;
      return load(users);
    };
    store.findKeys = (keys) => {
      elapsed += HELD_MS;
      return find(keys);
    };
    const outcomes = await engine.submit([add('user-1'), add('ada', 'fresh')]);
    expect(outcomes).toMatchObject([{ kind: 'recorded' }, { kind: 'refused', reason: 'damaged' }]);
    expect(loads).toBeLessThanOrEqual(10);
  });

  it('names only its user if the database cannot read the row', async () => {
    const { engine, store, repair } = await damaged();
    repair();
    const load = store.loadDocuments.bind(store);
    let asked = 0;
    store.loadDocuments = (users) => {
      if (!users.some(({ subject }) => subject === subjectOf('ada'))) return load(users);
      asked++;
      return Promise.reject(new Error('missing chunk number 0 for toast value 17'));
    };
    const outcomes = await engine.submit([...others(), add('ada')]);
    const damage = {
      account: 'default',
      subject: subjectOf('ada'),
      area: null,
      reason: expect.stringMatching(/missing chunk/),
    };
    expect(outcomes.filter(({ kind }) => kind === 'recorded')).toHaveLength(others().length);
    expect(outcomes.at(-1)).toMatchObject({ kind: 'refused', reason: 'damaged', damage });
    const tries = asked;
    expect(await one(engine, add('ada'))).toMatchObject({ reason: 'damaged' });
    expect(asked).toBe(tries);
  });

  it('is forgotten once a leaderboard that could not be read is read', async () => {
    const { engine, boards } = await started();
    await one(engine, add('ada'));
    const open = boards.openLayer.bind(boards);
    let loaded = false;
    boards.openLayer = (below) => {
      const layer = open(below);
      const apply = layer.apply.bind(layer);
      return Object.assign(layer, {
        apply: (...given: Parameters<typeof apply>) => (loaded ? apply(...given) : { missing: [{} as RunKey] }),
      });
    };
    boards.load = () => Promise.reject(new Error('missing chunk number 0 for toast value 17'));
    const damage = { ...DAMAGE, area: 'leaderboards' };
    expect(await one(engine, add('ada'))).toMatchObject({ kind: 'refused', reason: 'damaged', damage });
    boards.load = () => {
      loaded = true;
      return Promise.resolve();
    };
    elapsed += HELD_MS;
    expect((await one(engine, add('ada'))).kind).toBe('recorded');
    expect(engine.status()).toMatchObject({ damagedUsers: 0, damaged: [] });
  });

  it('is not reported if a leaderboard cannot be read because the store is unavailable', async () => {
    const { engine, boards } = await started();
    await one(engine, add('ada'));
    const open = boards.openLayer.bind(boards);
    boards.openLayer = (below) => Object.assign(open(below), { apply: () => ({ missing: [{} as RunKey] }) });
    boards.load = () => Promise.reject(new StoreUnavailableError('the database cannot be reached'));
    expect(await one(engine, add('ada'))).toMatchObject({ kind: 'refused', reason: 'unavailable' });
    expect(engine.status()).toMatchObject({ damagedUsers: 0 });
  });

  it('is remembered for at most a thousand users', async () => {
    const { engine, store } = await started();
    const users = range(1_200).map((index) => add(`user-${index}`));
    await engine.submit(users);
    await engine.close();
    for (const user of store.documents.keys()) store.documents.set(user, '{"users":{}}');
    const again = await started({ store });
    const outcomes = await again.engine.submit(users);
    expect(outcomes.every((outcome) => outcome.kind === 'refused' && outcome.reason === 'damaged')).toBe(true);
    expect(again.engine.status().damagedUsers).toBe(1_000);
    expect(again.engine.status().damaged.map(({ subject }) => subject)).toContain(subjectOf('user-1199'));
  });
});

describe('a batch that the store does not commit in time', () => {
  const slow = (store: MemoryBatchStore, most: number) => {
    const commit = store.commitBatch.bind(store);
    const tried: number[] = [];
    store.commitBatch = (batch) => {
      const rows = [...batch.rows.values()].reduce((sum, { length }) => sum + length, 0);
      tried.push(rows);
      return rows > most ? Promise.reject(new Error('Query read timeout')) : commit(batch);
    };
    return tried;
  };

  it('is halved until the store commits it, without refusing anyone', async () => {
    const { engine, store } = await started();
    const tried = slow(store, 60);
    const outcomes = await engine.submit(range(240).map((index) => add(`user-${index}`)));
    expect(outcomes.every(({ kind }) => kind === 'recorded')).toBe(true);
    expect(tried[0]).toBeGreaterThan(60);
    expect(tried.filter((rows) => rows > 60).length).toBeLessThan(8);
    expect(eventsIn(store).map(({ fact }) => 'subject' in fact && fact.subject)).toEqual(
      range(240).map((index) => subjectOf(`user-${index}`)),
    );
  });

  it('is halved by its rows as well if a single command causes them all', async () => {
    const { engine, store } = await owing(['debtor'], 20_000);
    const tried = slow(store, 3_000);
    expect(await one(engine, add('debtor'))).toMatchObject({ kind: 'recorded' });
    expect(tried[0]).toBeGreaterThan(3_000);
    expect(awardsOf(store)).toHaveLength(OWED);
  });
});

describe('a user who is owed more awards than a batch may hold', () => {
  it("is settled chunk by chunk, while other users' events are recorded in between", async () => {
    const { engine, store } = await owing();
    const debtor = engine.submit([add('debtor'), add('eve')]);
    const behind = engine.submit([add('ada'), add('debtor', null, 2), add('bob')]);
    await Promise.all([debtor, behind, engine.submit([add('carl')])]);
    const order = store.records.slice(4).map(({ fact }) => ('subject' in fact ? fact.subject : fact.type));
    const chunks = order.lastIndexOf('UsersSwept');
    expect(order.filter((one) => one === 'UsersSwept').length).toBeGreaterThan(5);
    expect([order.indexOf(subjectOf('ada')) < chunks, order.indexOf(subjectOf('carl')) < chunks]).toEqual([true, true]);
    expect(order.slice(chunks + 1)).toEqual(['debtor', 'eve', 'debtor', 'bob'].map(subjectOf));
    expect(awardsOf(store)).toHaveLength(OWED);
  });

  it('does not delay others even if there are many such users', async () => {
    const debtors = range(20).map((index) => `debtor-${index}`);
    const { engine, store } = await owing(debtors);
    const settled = debtors.map((user) => engine.submit([add(user)]));
    const head = store.records.length;
    expect(await one(engine, add('ada'))).toMatchObject({ kind: 'recorded' });
    expect(store.records.length - head).toBeLessThan(debtors.length);
    await Promise.all(settled);
    expect(awardsOf(store)).toHaveLength(debtors.length * OWED);
  });
});

const OWED = 12_000;
const awardsOf = (store: MemoryBatchStore) => store.rows.get('users_rows') ?? [];

/** Restarted with users whose first event was long ago; from then on they are owed a row each millisecond. */
async function owing(users: readonly string[] = ['debtor'], maxRows = 4_000) {
  const area = areaOf<{ settledTo: number | null }, null, object>({
    name: 'users',
    stateVersion: 1,
    tables: [{ name: 'users_rows', onConflict: '' }],
    migrations: [],
    readableRows: [],
    needs: [],
    rules: {
      compile: () => null,
      initial: () => ({ settledTo: null }),
      clone: (state) => ({ ...state }),
      apply: (state, { subject, occurredAt }, _plan, emitter) => {
        const settledTo = state.settledTo ?? occurredAt;
        const owed = Math.max(0, occurredAt - settledTo);
        for (let index = 0; index < owed; index++)
          emitter.dueAt(index).emit({ type: 'AchievementCompleted', achievement: String(subject) });
        state.settledTo = settledTo + owed;
      },
      settleBound: ({ settledTo }, _plan, upTo, atMost) => Math.min(upTo, (settledTo ?? upTo) + atMost),
      encode: (state) => state,
      decode: (json) => json as { settledTo: number | null },
    },
    answerPart: (_step, { state }) => ({ ...state }),
    rows: ({ effects }) => new Map([['users_rows', effects.map((effect) => ({ ...effect }))]]),
    correct: () => ({ added: new Map(), removed: new Map() }),
    view: (state) => ({ ...state }),
  }) as unknown as AnyUserArea;
  const { engine, store } = await started({ areas: [area], options: { maxRows, waitLimitMs: 60_000 } });
  const past = users.map((user) => ({ ...add(user), occurredAt: AT - OWED }));
  await engine.submit(past);
  await engine.finishImport('default');
  return { engine, store };
}

interface Start {
  readonly areas?: readonly AnyUserArea[];
  readonly store?: MemoryBatchStore;
  readonly traps?: Partial<Record<AreaName, Trap>>;
  readonly options?: Partial<EngineOptions>;
  readonly rebuild?: Rebuild;
  readonly onQueueState?: (state: string) => void;
  readonly onDamagedState?: (damage: DamagedState) => void;
}

async function started({
  store: present,
  traps = {},
  areas: given,
  options = {},
  rebuild,
  onQueueState,
  onDamagedState = () => undefined,
}: Start = {}) {
  const areas = given ?? [
    tallyArea('users', traps.users),
    tallyArea('streaks', traps.streaks),
    tallyArea('points', traps.points),
  ];
  const boards = new TallyBoards(traps.leaderboards);
  const store = present ?? new MemoryBatchStore(areas.flatMap((area) => area.tables));
  const engine = await Engine.start(
    {
      store,
      log: store as never,
      chain: new Chain(areas, boards, () => undefined),
      clock,
      userEvents: new UserEvents((...asked) => store.positionsOf(...asked), store),
      newEventId: newUuid,
      originalDates: (keys) => Promise.resolve(keys.map(() => '2026-03-01')),
      compileHistory: (account, publications) => historyOf(account, publications.at(-1)?.version ?? 0),
      openRebuild: () => (rebuild ? Promise.resolve(rebuild) : Promise.reject(new Error('no rebuild here'))),
      onQueueState: onQueueState ?? (() => undefined),
      onSweepFailure: () => undefined,
      onDamagedState,
    },
    ['default'],
    { ...DEFAULT_ENGINE_OPTIONS, waitLimitMs: 500, ...options },
  );
  if (!present) await engine.publishConfiguration('default', { a: 1 });
  return { engine, store, boards };
}

async function recordedOnce() {
  const { engine, store } = await started();
  await one(engine, add('ada', 'k'));
  await engine.close();
  return { store };
}

let elapsed = 0;
let now = AT;
const clock: Clock = {
  now: () => now,
  elapsedMs: () => elapsed,
  after: (delayMs, task) => {
    if (delayMs >= 10_000) return () => undefined;
    elapsed += delayMs;
    const immediate = setImmediate(task);
    return () => clearImmediate(immediate);
  },
};

const NOTHING_DUE: Partial<Configuration> = {
  metrics: ['words', 'other'].map((key) => ({ id: key, key, name: key }) as Metric),
  pointsSystems: [],
};

const historyOf = (account: string, version: number): ConfigurationHistory => ({
  account,
  current: { ...NOTHING_DUE, account, version } as Configuration,
  at: (asked) => ({ ...NOTHING_DUE, account, version: asked }) as Configuration,
  findTrigger: () => null,
});

const hashOf = (user: string, key: string) =>
  keyHashOf({ account: 'default', subject: subjectOf(user), metric: 'words', key });

const add = (user: string, key: string | null = null, value = 1): UserCommand & { type: 'RecordMetricEvent' } => ({
  type: 'RecordMetricEvent',
  account: 'default',
  subject: subjectOf(user),
  metric: 'words',
  value: BigInt(value) * 1_000_000n,
  user: {},
  attributes: new Map(),
  keyHash: key === null ? null : hashOf(user, key),
  occurredAt: null,
});

const range = (length: number): number[] => Array.from({ length }, (_, index) => index);

async function one(engine: Engine, command: UserCommand): Promise<CommandResult> {
  const [outcome] = await engine.submit([command]);
  return outcome as CommandResult;
}

const tallyOf = (outcome: CommandResult): number => {
  if (outcome.kind === 'refused') throw new Error(`refused: ${outcome.reason}`);
  return (outcome.sections.points as unknown as { count: number }).count;
};

const eventsIn = (store: MemoryBatchStore) => store.records.filter(({ fact }) => fact.type === 'MetricEventRecorded');

async function until<T>(ask: () => Promise<T>, holds: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (holds(answer)) return answer;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
