import { StoreUnavailableError } from '@laurel/kernel';
import type { OutgoingMessage, StreamMessage } from '@laurel/event-stream';
import { subjectOf } from '@laurel/testing/subjects';
import { MemoryPartitionStore } from './memory-partition-store.fixture.ts';
import { headersOf } from './protocol.ts';
import { Publications } from './publications.ts';
import { numberedHistory, tracingArea } from './tracing-area.fixture.ts';
import { UserProjection } from './user-projection.ts';
import {
  message,
  PUBLISHED,
  messagesUpTo,
  numbers,
  openWorkerUnderTest as open,
  publication,
  recordAt,
} from './worker-under-test.fixture.ts';

describe('a batch', () => {
  it('is applied, sent on with its own sequence numbers, committed and reported to callers', async () => {
    const { worker, apply, sent, effects, checkpoint, counts } = open();
    expect(await apply(worker, messagesUpTo(3))).toBe(3);
    expect(numbers(sent)).toEqual(['1', '2', '3']);
    expect(effects).toHaveLength(2);
    expect(checkpoint()).toMatchObject({ nextOffset: 3, position: 3, failure: null });
    expect(counts).toEqual({ records: 2, configurations: 1, repeated: 0, batches: 1, sent: 3, effects: 2 });
  });

  it('is dropped if it was seen before, by another process as well', async () => {
    const { worker, openWorker, apply, sent, counts } = open();
    await apply(worker, messagesUpTo(3));
    expect(await apply(worker, messagesUpTo(3))).toBe(3);
    expect(await apply(openWorker(), messagesUpTo(3))).toBe(3);
    expect(sent).toHaveLength(3);
    expect(counts.repeated).toBe(6);
  });

  it('is split into several commits if it is large', async () => {
    const { worker, apply, counts, checkpoint } = open();
    await apply(worker, messagesUpTo(1_201));
    expect(counts.batches).toBe(3);
    expect(checkpoint()?.nextOffset).toBe(1_201);
  });

  it('is numbered but neither sent nor reported during a rebuild of the service', async () => {
    const { openWorker, apply, sent, effects, checkpoint } = open();
    await apply(openWorker({ producer: null }), messagesUpTo(3));
    expect([...sent, ...effects]).toEqual([]);
    expect(checkpoint()?.sent).toEqual(new Map([[0, 3]]));
  });
});

describe('a message that an area cannot apply', () => {
  it('halts the partition after the messages before it, with the reason stored, until it is repaired', async () => {
    const { worker, apply, refused, checkpoint, sent } = open();
    refused.add(3);
    await expect(apply(worker, messagesUpTo(5))).rejects.toThrow('users cannot apply 3');
    expect(checkpoint()).toMatchObject({ nextOffset: 2, failure: { offset: 2, reason: 'users cannot apply 3' } });
    refused.clear();
    expect(await apply(worker, messagesUpTo(5))).toBe(5);
    expect(checkpoint()).toMatchObject({ nextOffset: 5, failure: null });
    expect(numbers(sent)).toEqual(['1', '2', '3', '4', '5']);
  });

  it('may be one whose user has an unreadable state', async () => {
    const { worker, apply, database, checkpoint } = open();
    await apply(worker, messagesUpTo(2));
    const area = {
      ...tracingArea('users', () => false),
      decode: () => {
        throw new Error('no such state');
      },
    };
    const store = new MemoryPartitionStore(database);
    const broken = open({
      store,
      publications: new Publications(numberedHistory, () => Promise.resolve([PUBLISHED])),
      openProjection: () =>
        new UserProjection({
          areasBySchema: [[area]],
          partition: 0,
          readStates: store.readStates.bind(store, 0),
          cachedUserBytes: 10_000,
        }),
    });
    const next = [message(2, 3, recordAt(3, 'new')), message(3, 4, recordAt(4, 'ann'))];
    await expect(apply(broken.worker, next)).rejects.toThrow('no such state');
    const reason = `the stored users state of subject ${subjectOf('ann')} of account default is damaged: no such state`;
    expect(checkpoint()).toMatchObject({ nextOffset: 3, failure: { offset: 3, reason } });
  });

  it.each([
    ['of another schema', { ...headersOf({ source: 0, sequence: 2 }), 'laurel-schema': '9' }, 'is of schema 9'],
    ['without a number', {}, 'no whole number in its header laurel-source'],
  ])('may be one %s', async (_what, headers, reason) => {
    const { worker, apply, checkpoint } = open();
    const [first] = messagesUpTo(1) as [StreamMessage];
    await expect(apply(worker, [first, { ...message(1, 2, recordAt(2)), headers }])).rejects.toThrow(reason);
    expect(checkpoint()).toMatchObject({ nextOffset: 1, failure: { offset: 1 } });
  });

  it('may be one that is not JSON', async () => {
    const { worker, apply, checkpoint } = open();
    await expect(apply(worker, [{ ...message(0, 1, publication), value: '{"kind":"record"' }])).rejects.toThrow(
      'the message cannot be read',
    );
    expect(checkpoint()?.failure?.offset).toBe(0);
  });

  it.each([
    ['a recorded event', recordAt(1)],
    ['the announcement', publication],
  ])('is retried, if it is %s of a configuration that has not arrived yet', async (_what, streamed) => {
    const { worker, apply, published, checkpoint } = open();
    const batch = [message(0, 1, streamed)];
    published.length = 0;
    await expect(apply(worker, batch)).rejects.toThrow('configuration version 1 of account default has not arrived');
    published.push(PUBLISHED);
    expect(await apply(worker, batch)).toBe(1);
    expect(checkpoint()?.failure).toBeNull();
  });
});

describe('a message that the store or the stream refuses', () => {
  it('is named, and the messages before it are committed', async () => {
    const { openWorker, store, apply, checkpoint, counts } = open();
    const worker = openWorker({
      store: Object.assign(Object.create(store) as MemoryPartitionStore, {
        commit: (commit: Parameters<MemoryPartitionStore['commit']>[0]) =>
          commit.after.nextOffset > 77 ? Promise.reject(new Error('invalid text')) : store.commit(commit),
        read: (partition: number) => store.read(partition),
      }),
    });
    await expect(apply(worker, messagesUpTo(300))).rejects.toThrow('invalid text');
    expect(checkpoint()).toMatchObject({ nextOffset: 77, failure: { offset: 77, reason: 'invalid text' } });
    expect(counts.records).toBe(76);
  });

  it('may be one that is too long', async () => {
    const { openWorker, apply, checkpoint } = open();
    const send = (messages: readonly OutgoingMessage[]) =>
      messages.some(({ headers }) => headers['laurel-sequence'] === '3')
        ? Promise.reject(new RangeError('too long'))
        : Promise.resolve();
    await expect(apply(openWorker({ producer: { send } }), messagesUpTo(5))).rejects.toThrow('too long');
    expect(checkpoint()).toMatchObject({ nextOffset: 2, failure: { offset: 2, reason: 'too long' } });
  });

  it.each([
    [
      'a stream that cannot be written to',
      { producer: { send: () => Promise.reject(new Error('no broker')) } },
      'could not be sent',
    ],
    [
      'a database that is away',
      {
        openProjection: () => {
          throw new StoreUnavailableError('away');
        },
      },
      'away',
    ],
  ])('is not named if the cause is %s', async (_what, parts, reason) => {
    const { openWorker, apply, checkpoint } = open();
    await expect(apply(openWorker(parts), messagesUpTo(3))).rejects.toThrow(reason);
    expect(checkpoint()).toBeUndefined();
  });
});

describe('a partition that another process has advanced', () => {
  it('is left to that process, and is resumed later from its new checkpoint', async () => {
    const { worker, openWorker, apply, checkpoint, sent } = open();
    await apply(worker, messagesUpTo(2));
    await apply(openWorker(), messagesUpTo(3));
    await expect(apply(worker, messagesUpTo(3).slice(2))).rejects.toThrow('moved on by another process');
    expect(await apply(worker, messagesUpTo(4))).toBe(4);
    expect(checkpoint()?.received).toEqual(new Map([[0, 4]]));
    expect(new Set(numbers(sent)).size).toBe(4);
  });

  it('receives nothing that was computed from outdated states', async () => {
    const { worker, openWorker, apply, sent } = open();
    await apply(worker, messagesUpTo(1));
    await apply(openWorker(), messagesUpTo(2));
    const before = sent.length;
    await expect(apply(worker, messagesUpTo(4).slice(1))).rejects.toThrow('moved on by another process');
    expect(sent).toHaveLength(before);
  });
});
