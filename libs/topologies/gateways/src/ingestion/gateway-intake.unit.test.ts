import {
  AREAS,
  StoreUnavailableError,
  userKey,
  type AreaName,
  type UserCommand,
  type Configuration,
  type NewRecord,
  type RecordMetricEvent,
  type UserEvent,
  type AnswerParts,
} from '@laurel/kernel';
import { FencedError, LogOverloadedError, type AppendOutcome, type UsedKey } from '@laurel/event-store';
import { type GatewayConfigurations } from '@laurel/processes';
import { subjectOf } from '@laurel/testing/subjects';
import { ManualClock, VirtualClock } from '@laurel/testing/clock';
import { historyOf, sampleConfiguration } from '@laurel/testing/http-modules';
import type { AnswerClient, Gathered } from '../answers/index.ts';
import { decideCommands, type DecidingDependencies } from './decide-commands.ts';
import { decidingDependencies } from './deciding.fixture.ts';
import { GatewayIntake, type GatewayIntakeDependencies } from './gateway-intake.ts';
import type { Imports } from './imports.ts';

const CONFIGURATION: Configuration = { ...sampleConfiguration('default'), version: 3 };
const ANSWER = { points: { awards: [], systems: [] } } satisfies AnswerParts;

const event = (user: string, more: Partial<RecordMetricEvent> = {}): RecordMetricEvent => ({
  type: 'RecordMetricEvent',
  account: 'default',
  subject: subjectOf(user),
  metric: 'commits',
  value: 1_000_000n,
  user: {},
  attributes: new Map(),
  keyHash: null,
  occurredAt: null,
  ...more,
});

const original: UsedKey = {
  account: 'default',
  subject: subjectOf('ann'),
  keyHash: 'hash of k',
  eventId: 'original',
  position: 5,
  occurredAt: Date.UTC(2026, 0, 9, 23),
};

const noKeys = () => Promise.resolve([]);

/** An intake before a log that records everything, unless a test says otherwise. */
function open(more: Partial<GatewayIntakeDependencies> = {}, read: Partial<DecidingDependencies> = {}) {
  const appended: NewRecord[] = [];
  const asked: unknown[] = [];
  const admitted: unknown[] = [];
  const settled: (number | null)[] = [];
  const importsOf = {
    isOpen: false,
    opening: null as Awaited<ReturnType<Imports['findOpen']>>,
    pending: [] as readonly AreaName[],
  };
  const record = (one: NewRecord): AppendOutcome => {
    appended.push(one);
    return { kind: 'recorded', record: { ...one, position: appended.length } };
  };
  const done = (eventId: string): readonly [string, Gathered] => [eventId, { eventId, sections: ANSWER, pending: [] }];
  let fenced = 0;
  const dependencies: Omit<GatewayIntakeDependencies, 'decide'> = {
    store: {
      append: (records) => Promise.resolve(records.map(record)),
      findKeys: noKeys,
    },
    logHead: () => Promise.resolve(appended.length),
    configurations: { historyOf: () => historyOf(CONFIGURATION) } as unknown as GatewayConfigurations,
    answers: {
      gather: (users: readonly { eventIds: readonly string[] }[], limitMs: number) => {
        asked.push({ users, limitMs });
        return Promise.resolve(new Map(users.flatMap(({ eventIds }) => eventIds.map(done))));
      },
    } as unknown as AnswerClient,
    appliedOutcomes: () => Promise.resolve(new Map()),
    viewReplay: (command, used, { version }) => {
      asked.push({ command, used, version });
      return Promise.resolve({ sections: ANSWER, pending: ['leaderboards'] });
    },
    backlog: {
      admit: (size) => {
        admitted.push(size);
        return Promise.resolve({ settle: (position) => void settled.push(position) });
      },
    },
    pendingNow: () => Promise.resolve(importsOf.pending),
    imports: {
      goesOn: () => Promise.resolve(importsOf.isOpen),
      open: (_account, openedAt, opening) => {
        const unknown = { position: null, by: null, reason: null, outgoing: false };
        importsOf.opening = { ...unknown, ...opening, openedAt, lastAt: openedAt };
        return Promise.resolve((importsOf.isOpen = true));
      },
      findOpen: () => Promise.resolve(importsOf.isOpen ? importsOf.opening : null),
      isOpen: () => Promise.resolve(importsOf.isOpen),
      close: () => Promise.resolve(!(importsOf.isOpen = false)),
    },
    clock: new ManualClock(),
    answerLimitMs: 10_000,
    onRecorded: () => undefined,
    onFenced: () => fenced++,
    ...more,
  };
  const { store, imports, clock } = dependencies;
  const decide = (commands: readonly UserCommand[]) =>
    decideCommands(commands, decidingDependencies({ store, imports, clock, ...read }));
  const intake = new GatewayIntake({ decide, ...dependencies });
  return { intake, appended, asked, admitted, settled, importsOf, fenced: () => fenced };
}

const answering = (...outcomes: readonly AppendOutcome[]) => ({
  append: () => Promise.resolve(outcomes),
  findKeys: noKeys,
});
const throwing = (error: Error) => ({ append: () => Promise.reject(error), findKeys: noKeys });
const UNREACHABLE = new StoreUnavailableError('the database cannot be reached');
const REFUSED = { kind: 'refused', eventId: null, retryAfterMs: 1_000 };

describe('an event', () => {
  it('is recorded under the newest configuration and answered with all of its effects', async () => {
    const { intake, appended } = open();
    const [outcome] = await intake.submit([event('ann')]);
    expect(appended).toMatchObject([
      { account: 'default', configurationVersion: 3, fact: { subject: subjectOf('ann'), imported: false } },
    ]);
    expect(outcome).toMatchObject({
      kind: 'recorded',
      position: 1,
      configuration: { version: 3 },
      sections: ANSWER,
      pending: [],
    });
    expect(intake.counts).toEqual({ recorded: 1, replayed: 0, refused: 0, pending: 0 });
    expect(intake.waiting).toBe(0);
  });

  it('is answered from the stored areas when its effects did not arrive in time', async () => {
    const users = { total: 7n } as AnswerParts['users'];
    const asked: unknown[] = [];
    const { intake } = open({
      answers: {
        gather: (sent) =>
          Promise.resolve(
            new Map(
              sent.flatMap(({ eventIds }) =>
                eventIds.map((id, place): [string, Gathered] => [
                  id,
                  { eventId: id, sections: ANSWER, pending: place === 0 ? AREAS : [] },
                ]),
              ),
            ),
          ),
      },
      appliedOutcomes: (records, limitMs) => {
        asked.push([records.map(({ position }) => position), limitMs]);
        return Promise.resolve(
          new Map(
            records.map(({ eventId }) => [
              eventId,
              { eventId, sections: { users }, pending: ['points', 'leaderboards'] },
            ]),
          ),
        );
      },
    });
    expect(await intake.submit([event('ann'), event('ann')])).toMatchObject([
      { kind: 'recorded', sections: { users }, pending: ['points', 'leaderboards'] },
      { kind: 'recorded', sections: ANSWER, pending: [] },
    ]);
    expect(asked).toEqual([[[1], expect.closeTo(500)]]);
  });

  it('is answered as pending in all areas when nothing is known of it', async () => {
    const answers = { gather: () => Promise.resolve(new Map()) } as unknown as AnswerClient;
    const { intake } = open({ answers });
    expect(await intake.submit([event('ann')])).toMatchObject([{ kind: 'recorded', sections: {}, pending: AREAS }]);
    expect(intake.counts.pending).toBe(1);
  });

  it('is requested together with the other events of its user', async () => {
    const { intake, asked } = open();
    await intake.submit([event('ann'), event('__proto__'), event('ann')]);
    expect(asked).toMatchObject([
      { users: [{ subject: subjectOf('ann') }, { subject: subjectOf('__proto__') }], limitMs: 9_500 },
    ]);
    const [{ users }] = asked as [{ users: readonly { eventIds: readonly string[] }[] }];
    expect(users.map(({ eventIds }) => eventIds.length)).toEqual([2, 1]);
  });

  it('is answered with the present state when its key was used', async () => {
    const { intake, asked } = open({ store: answering({ kind: 'used', original }) });
    const command = event('ann', { keyHash: 'hash of k' });
    expect(await intake.submit([command])).toMatchObject([
      { kind: 'replayed', eventId: 'original', sections: ANSWER, pending: ['leaderboards'] },
    ]);
    expect(asked).toEqual([{ command, used: original, version: 3 }]);
  });

  it('is answered without sections when its key was used and only a receipt is wanted', async () => {
    const { intake, asked } = open({ store: answering({ kind: 'used', original }) });
    expect(await intake.submit([event('ann')], { receiptOnly: true })).toMatchObject([
      { kind: 'replayed', eventId: 'original', sections: {}, pending: [] },
    ]);
    expect(asked).toEqual([]);
  });
});

describe('a key that earlier releases may have decoded differently', () => {
  const key = { keyHash: 'hash of schlüssel', earlierKeyHashes: ['hash of schlÃ¼ssel'] };
  const recordedAs = (text: string) => ({ ...original, keyHash: `hash of ${text}` });

  it.each(['schlüssel', 'schlÃ¼ssel'])('is used when it was recorded as %s, and nothing is appended', async (text) => {
    const appended: NewRecord[] = [];
    const { intake, asked } = open({
      store: {
        append: (records) => {
          appended.push(...records);
          return Promise.resolve(records.map((one) => ({ kind: 'recorded', record: { ...one, position: 1 } })));
        },
        findKeys: (hashes) =>
          Promise.resolve(hashes.filter((hash) => hash === `hash of ${text}`).map(() => recordedAs(text))),
      },
    });
    const outcomes = await intake.submit([event('ann'), event('ann', key), event('ann')]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['recorded', 'replayed', 'recorded']);
    expect(outcomes[1]).toMatchObject({ eventId: 'original', sections: ANSWER });
    expect(appended).toHaveLength(2);
    expect(asked).toContainEqual({ command: event('ann', key), used: recordedAs(text), version: 3 });
    expect(intake.counts).toMatchObject({ recorded: 2, replayed: 1 });
  });

  it('is new when it was recorded in neither form', async () => {
    const { intake, appended } = open();
    expect(await intake.submit([event('ann', key)])).toMatchObject([{ kind: 'recorded' }]);
    expect(appended).toMatchObject([{ fact: { keyHash: 'hash of schlüssel' } }]);
  });

  it('is refused while the log cannot be read, and nothing is recorded', async () => {
    const { append } = answering();
    const { intake } = open({ store: { append, findKeys: () => Promise.reject(new Error('UNAVAILABLE')) } });
    expect(await intake.submit([event('ann', key)])).toMatchObject([{ kind: 'refused', reason: 'unavailable' }]);
  });

  it('is looked up in the log, and other keys are not', async () => {
    let requests = 0;
    const findKeys = () => Promise.resolve((requests++, []));
    const { intake } = open({ store: { ...answering({ kind: 'used', original }), findKeys } });
    await intake.submit([event('ann', { keyHash: 'hash of k' })]);
    expect(requests).toBe(0);
  });
});

describe('a receipt', () => {
  const receipt = { receiptOnly: true };

  it('is sent once the event is recorded, without waiting for the services', async () => {
    const { intake, asked } = open();
    expect(await intake.submit([event('ann')], receipt)).toMatchObject([
      { kind: 'recorded', position: 1, sections: {}, pending: [] },
    ]);
    expect(asked).toEqual([]);
  });

  it('is noted in the log, so that no effects are sent for the event', async () => {
    const { intake, appended } = open();
    await intake.submit([event('ann')], receipt);
    await intake.submit([event('ann')]);
    expect(appended.map(({ fact }) => 'receiptOnly' in fact && fact.receiptOnly)).toEqual([true, false]);
  });

  it('occupies the backlog until the services have applied the last event of its batch', async () => {
    const { intake, admitted, settled } = open();
    await intake.submit([event('ann'), event('bob', { attributes: new Map([['kind', 'x'.repeat(1_000)]]) })], receipt);
    expect(admitted).toEqual([{ records: 2, bytes: 600 + 'kind'.length + 1_000 }]);
    expect(settled).toEqual([2]);
  });

  it('frees the backlog when nothing was recorded', async () => {
    const { intake, settled } = open({ store: throwing(UNREACHABLE) });
    expect(await intake.submit([event('ann')], receipt)).toEqual([{ ...REFUSED, reason: 'unavailable' }]);
    expect(settled).toEqual([null]);
  });

  it('is refused as overloaded, without a record, while the services are too far behind', async () => {
    const { intake, appended } = open({ backlog: { admit: () => Promise.resolve(null) } });
    expect(await intake.submit([event('ann')], receipt)).toEqual([{ ...REFUSED, reason: 'overloaded' }]);
    expect(appended).toEqual([]);
  });
});

describe('the append queue', () => {
  it('is open while appends are answered, and shows how many requests wait and for how long', async () => {
    const clock = new VirtualClock();
    let answer: (outcomes: readonly AppendOutcome[]) => void = () => undefined;
    const append = () => new Promise<readonly AppendOutcome[]>((resolve) => (answer = resolve));
    const { intake } = open({ clock, store: { ...answering(), append } });
    expect(intake.queueState()).toEqual({ state: 'open', waiting: 0, stalledMs: 0 });
    const submitted = intake.submit([event('ann')]);
    await clock.advance(4_000);
    expect(intake.queueState()).toEqual({ state: 'open', waiting: 1, stalledMs: 4_000 });
    await clock.advance(3_000);
    expect(intake.queueState()).toEqual({ state: 'waiting', waiting: 1, stalledMs: 7_000 });
    answer([{ kind: 'failed', recorded: 'nothing', error: UNREACHABLE }]);
    await submitted;
    const again = intake.submit([event('ann')]);
    await clock.advance(0);
    expect(intake.queueState()).toEqual({ state: 'waiting', waiting: 1, stalledMs: 0 });
    answer([{ kind: 'rejected', error: UNREACHABLE }]);
    await again;
    expect(intake.queueState()).toEqual({ state: 'open', waiting: 0, stalledMs: 0 });
  });
});

describe('a refused event', () => {
  const error = new Error('no answer');

  it.each<[string, AppendOutcome, object]>([
    [
      'may be sent again when nothing of it was recorded',
      { kind: 'failed', recorded: 'nothing', error },
      { ...REFUSED, reason: 'unavailable' },
    ],
    ['may be sent again for a new user when its user was erased', { kind: 'erased' }, { ...REFUSED, reason: 'erased' }],
    [
      'may not be sent again before an open import is finished',
      { kind: 'import_open' },
      { ...REFUSED, reason: 'import_open', retryAfterMs: null },
    ],
    [
      'may not be sent again when the store rejects it',
      { kind: 'rejected', error },
      { ...REFUSED, reason: 'rejected', retryAfterMs: null },
    ],
  ])('%s', async (_what, outcome, answer) => {
    const { intake } = open({ store: answering(outcome) });
    expect(await intake.submit([event('ann')])).toEqual([answer]);
    expect(intake.counts.refused).toBe(1);
  });

  it('is named when it may have been recorded', async () => {
    const [outcome] = await open({ store: answering({ kind: 'failed', recorded: 'unknown', error }) }).intake.submit([
      event('ann'),
    ]);
    expect(outcome).toEqual({
      ...REFUSED,
      reason: 'unknown',
      eventId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
  });

  it('does not let later calls of its stream be appended', async () => {
    const appends: (() => void)[] = [];
    const seen: number[] = [];
    const { intake } = open({
      store: {
        append: async (records) => {
          seen.push(...records.map(({ fact }) => (fact as UserEvent).subject));
          await new Promise<void>((resolve) => appends.push(resolve));
          throw new LogOverloadedError('full');
        },
        findKeys: noKeys,
      },
    });
    const stream = { interrupted: false };
    const options = { receiptOnly: true, stream };
    const both = Promise.all([intake.submit([event('ann')], options), intake.submit([event('bob')], options)]);
    while (appends.length === 0) await new Promise((resolve) => setImmediate(resolve));
    appends[0]?.();
    expect(await both).toMatchObject([[{ reason: 'overloaded' }], [{ reason: 'unavailable' }]]);
    expect(seen).toEqual([subjectOf('ann')]);
  });

  it('is reported as overloaded when the log accepts no more', async () => {
    const { intake } = open({ store: throwing(new LogOverloadedError('full')) });
    expect(await intake.submit([event('a'), event('b')])).toEqual([
      { ...REFUSED, reason: 'overloaded' },
      { ...REFUSED, reason: 'overloaded' },
    ]);
  });

  it('is reported as overloaded while too many are waiting, until they are answered', async () => {
    let answer: (outcomes: readonly AppendOutcome[]) => void = () => undefined;
    let appending: () => void = () => undefined;
    const isAppending = new Promise<void>((resolve) => (appending = resolve));
    const append = () => {
      appending();
      return new Promise<readonly AppendOutcome[]>((resolve) => (answer = resolve));
    };
    const { intake } = open({ store: { append, findKeys: noKeys } });
    const commands = Array.from({ length: 20_000 }, () => event('ann'));
    const waiting = intake.submit(commands);
    await isAppending;
    expect(await intake.submit([event('bob')])).toEqual([{ ...REFUSED, reason: 'overloaded' }]);
    expect(intake.waiting).toBe(20_000);
    answer(commands.map(() => ({ kind: 'rejected', error })));
    await waiting;
    expect(intake.waiting).toBe(0);
  });

  it('is reported as overloaded while too many bytes are waiting', async () => {
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const append = async (records: readonly NewRecord[]) => {
      await answered;
      return records.map((): AppendOutcome => ({ kind: 'rejected', error }));
    };
    const { intake } = open({ store: { append, findKeys: noKeys } });
    const attributes = new Map(Array.from({ length: 50 }, (_, n) => [`k${n}`, 'v'.repeat(1_024)]));
    const commands = Array.from({ length: 1_200 }, () => event('ann', { user: { attributes } }));
    const more = commands.slice(0, 200);
    const waiting = intake.submit(commands);
    expect(await intake.submit(more)).toEqual(more.map(() => ({ ...REFUSED, reason: 'overloaded' })));
    expect(intake.waiting).toBe(1_200);
    answer();
    await waiting;
    expect(await intake.submit(more)).toMatchObject(more.map(() => ({ reason: 'rejected' })));
    expect(intake.waiting).toBe(0);
  });

  it('does not keep the other events of the call from their answers', async () => {
    const { intake } = open({
      store: {
        append: ([first]) =>
          Promise.resolve([
            { kind: 'recorded', record: { ...(first as NewRecord), position: 1 } },
            { kind: 'used', original },
          ]),
        findKeys: noKeys,
      },
      viewReplay: () => Promise.reject(UNREACHABLE),
    });
    expect(await intake.submit([event('ann'), event('ann')])).toMatchObject([
      { kind: 'recorded', position: 1 },
      { kind: 'refused', reason: 'unavailable' },
    ]);
  });

  it('reports that another process has taken over the log', async () => {
    const { intake, fenced } = open({
      store: answering({ kind: 'failed', recorded: 'nothing', error: new FencedError() }),
    });
    expect(await intake.submit([event('ann')])).toEqual([{ ...REFUSED, reason: 'unavailable' }]);
    expect(fenced()).toBe(1);
  });
});

describe('an event that would give its user too many attributes', () => {
  it('is refused and not recorded, but the other events of the call are', async () => {
    const one = new Map([['another', 'v']]);
    const all = new Map(Array.from({ length: 50 }, (_, index) => [`k${index}`, 'v'] as const));
    const stored = new Map([[userKey({ account: 'default', subject: subjectOf('ann') }), all]]);
    const { intake, appended } = open({}, { users: { attributesOf: () => Promise.resolve(stored) } });
    const ann = event('ann', { user: { attributes: one } });
    expect(await intake.submit([event('bob'), ann, event('eve')])).toMatchObject([
      { kind: 'recorded', position: 1 },
      { kind: 'refused', reason: 'too_many_attributes', retryAfterMs: null },
      { kind: 'recorded', position: 2 },
    ]);
    expect(await intake.submit([ann])).toMatchObject([{ kind: 'refused', reason: 'too_many_attributes' }]);
    expect(appended).toHaveLength(2);
  });
});

describe('an explicitly opened import', () => {
  it('is recorded once for the same options, never without the limit on time awards', async () => {
    const { intake, appended } = open();
    const admin = { by: 'a-key', reason: 'old data' };
    const none = { unboundedAwards: false, outgoing: false };
    expect(await intake.openImport('default', none, admin)).toEqual({ opened: true, ...none });
    expect(await intake.openImport('default', none)).toMatchObject({ opened: false });
    const outgoing = { ...none, outgoing: true };
    expect(await intake.openImport('default', outgoing, admin)).toEqual({ opened: true, ...outgoing });
    expect(await intake.openImport('default', outgoing)).toEqual({ opened: false, ...outgoing });
    await expect(intake.openImport('default', { ...none, unboundedAwards: true })).rejects.toThrow(
      /unboundedAwards must be false/,
    );
    expect(appended.map(({ fact }) => fact)).toEqual([
      { type: 'ImportOpened', ...admin },
      { type: 'ImportOpened', ...admin, outgoing: true },
    ]);
  });
});

describe('an implicitly opened import', () => {
  const imported: UserCommand = event('ann', { occurredAt: 77, importedBy: 'a-key' });

  it('is recorded before its first event, which keeps its own time', async () => {
    const { intake, appended } = open();
    await intake.submit([imported, event('bob')]);
    await intake.submit([imported]);
    expect(appended.map(({ fact, occurredAt }) => [fact.type, occurredAt])).toEqual([
      ['ImportOpened', 0],
      ['MetricEventRecorded', 77],
      ['MetricEventRecorded', 0],
      ['MetricEventRecorded', 77],
    ]);
    expect(appended[0]?.fact).toEqual({ type: 'ImportOpened', by: 'a-key' });
  });

  it.each([
    ['unavailable', { imports: { goesOn: () => Promise.reject(UNREACHABLE) } as unknown as Imports }],
    ['overloaded', { store: throwing(new LogOverloadedError('full')) }],
    ['unavailable', { store: answering({ kind: 'failed', recorded: 'nothing', error: UNREACHABLE }) }],
  ] as const)('is refused as %s when it cannot be opened', async (reason, parts) => {
    const { intake } = open(parts);
    expect(await intake.submit([imported, event('bob')])).toEqual([
      { ...REFUSED, reason },
      { ...REFUSED, reason },
    ]);
  });

  it('shows its options and its number of events until it is closed', async () => {
    const { intake, importsOf } = open();
    expect(await intake.importProgress('default')).toBeNull();
    await intake.submit([event('bob'), imported, event('bob')]);
    const none = { unboundedAwards: false, outgoing: false };
    const shown = { openedAt: 0, lastReceivedAt: 0, ...none, attribution: { by: 'a-key' }, events: 2 };
    await intake.submit([event('bob')]);
    expect(await intake.importProgress('default')).toMatchObject({ ...shown, events: expect.any(Number) });
    importsOf.opening = { position: null, by: null, reason: null, outgoing: false, openedAt: 3, lastAt: 4 };
    expect(await intake.importProgress('default')).toEqual({
      ...{ openedAt: 3, lastReceivedAt: 4, ...none, attribution: {}, events: null },
    });
    importsOf.opening = { position: 1, by: null, reason: 'old data', outgoing: true, openedAt: 3, lastAt: 4 };
    expect(await intake.importProgress('default')).toMatchObject({
      ...{ attribution: { reason: 'old data' }, events: 4, outgoing: true },
    });
    await intake.finishImport('default');
    expect(await intake.importProgress('default')).toBeNull();
  });

  it('is closed once, also in the log', async () => {
    const { intake, appended, importsOf } = open();
    importsOf.isOpen = true;
    expect(await intake.finishImport('default', { by: 'local', reason: 'done' })).toEqual({ closed: true });
    expect(await intake.finishImport('default')).toEqual({ closed: false });
    expect(appended.map(({ fact }) => fact)).toEqual([
      { type: 'ImportClosed', cause: 'finished', by: 'local', reason: 'done' },
    ]);
  });

  it('names the areas that do not show it yet, also when it is finished again', async () => {
    const { intake, importsOf } = open();
    importsOf.isOpen = true;
    importsOf.pending = ['points', 'leaderboards'];
    expect(await intake.finishImport('default')).toEqual({ closed: true, pending: ['points', 'leaderboards'] });
    expect(await intake.finishImport('default')).toEqual({ closed: false, pending: ['points', 'leaderboards'] });
  });
});

describe('a sweep', () => {
  it('is recorded, or the call throws', async () => {
    const { intake, appended } = open();
    await intake.recordSweep('default', [subjectOf('ann'), subjectOf('bob')]);
    expect(appended.map(({ fact }) => fact)).toEqual([
      { type: 'UsersSwept', subjects: [subjectOf('ann'), subjectOf('bob')] },
    ]);
    const failing = open({ store: answering({ kind: 'failed', recorded: 'unknown', error: UNREACHABLE }) });
    await expect(failing.intake.recordSweep('default', [subjectOf('ann')])).rejects.toThrow(StoreUnavailableError);
  });
});

describe('the start or end of a leaderboard run', () => {
  it('is recorded with its own time, or the call throws', async () => {
    const { intake, appended } = open();
    const fact = { type: 'LeaderboardRunEnded', board: 'weekly', run: '2026-03-02' } as const;
    await intake.recordRun('default', fact, 1_000);
    expect(appended).toMatchObject([{ fact, occurredAt: 1_000 }]);
    const failing = open({ store: answering({ kind: 'failed', recorded: 'unknown', error: UNREACHABLE }) });
    await expect(failing.intake.recordRun('default', fact, 1_000)).rejects.toThrow(StoreUnavailableError);
  });
});
