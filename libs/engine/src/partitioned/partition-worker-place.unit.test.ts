import type { StreamMessage } from '@laurel/event-stream';
import { message, messagesUpTo, openWorkerUnderTest as open, recordAt } from './worker-under-test.fixture.ts';

describe('a batch that begins after the checkpoint', () => {
  it('is read again from the checkpoint, whatever its sequence numbers', async () => {
    const { worker, apply } = open();
    const messages = messagesUpTo(6);
    await apply(worker, messages.slice(0, 2));
    expect(await apply(worker, [message(4, 1, recordAt(5), 7)], 6)).toBe(2);
    expect(await apply(worker, messages.slice(2), 6)).toBe(6);
  });

  it('is read again from the checkpoint to which the database was restored, even for the second time', async () => {
    const { worker, apply, database } = open();
    const messages = messagesUpTo(6);
    await apply(worker, messages.slice(0, 2));
    expect(await apply(worker, messages.slice(3))).toBe(2);
    const { data } = database;
    expect(await apply(worker, messages.slice(2, 5), 6)).toBe(5);
    database.data = data;
    const duplicate = message(5, 1, recordAt(9), 7);
    await expect(apply(worker, [duplicate])).rejects.toThrow('moved on by another process');
    expect(await apply(worker, [duplicate])).toBe(2);
  });

  it('is applied by its sequence numbers if the stream has nothing left at the checkpoint', async () => {
    const { worker, apply } = open();
    await apply(worker, messagesUpTo(2));
    const next = [message(10, 3, recordAt(3))];
    expect(await apply(worker, next)).toBe(2);
    expect(await apply(worker, next)).toBe(11);
  });
});

describe('a gap in the sequence numbers', () => {
  it('makes the worker read the topic once from its beginning, and then halts the partition', async () => {
    const { worker, apply, checkpoint } = open();
    const [first, second] = messagesUpTo(2) as [StreamMessage, StreamMessage];
    await apply(worker, [first, second]);
    const gap = [message(2, 5, recordAt(5))];
    expect(await apply(worker, gap)).toBe(0);
    expect(await apply(worker, [first, second], 3)).toBe(2);
    await expect(apply(worker, gap)).rejects.toThrow('messages before offset 2 of partition 0 are missing');
    await expect(apply(worker, gap)).rejects.toThrow('missing');
    expect(checkpoint()).toMatchObject({ nextOffset: 2, failure: { offset: 2 } });
  });

  it('does not exist if the topic was recreated and holds the rest at other offsets', async () => {
    const { worker, apply, checkpoint } = open();
    await apply(worker, messagesUpTo(2));
    const anew = [message(0, 3, recordAt(3)), ...messagesUpTo(2).map((one) => ({ ...one, offset: one.offset + 1 }))];
    expect(await apply(worker, anew)).toBe(3);
    expect(checkpoint()?.received).toEqual(new Map([[0, 3]]));
  });

  it('is searched for again after the partition is reassigned', async () => {
    const { worker, apply } = open();
    const gap = [message(5, 5, recordAt(5))];
    expect(await apply(worker, gap)).toBe(0);
    await expect(apply(worker, gap)).rejects.toThrow('missing');
    worker.reassigned();
    expect(await apply(worker, gap)).toBe(0);
  });
});
