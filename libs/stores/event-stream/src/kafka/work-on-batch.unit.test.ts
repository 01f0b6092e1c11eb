import type { EachBatchPayload } from 'kafkajs';
import type { PartitionBatch } from '../event-stream.ts';
import { Membership, type Progress } from './membership.ts';
import { workOnBatch, type BatchWork } from './work-on-batch.ts';

const PARTITION = 3;

describe('workOnBatch', () => {
  let membership: Membership;
  let resolved: string[];
  let handed: PartitionBatch[];
  let events: string[];

  beforeEach(() => {
    membership = new Membership([PARTITION]);
    resolved = [];
    handed = [];
    events = [];
  });

  const progress = (): Progress => {
    const found = membership.of(PARTITION);
    if (!found) throw new Error('not owned');
    return found;
  };
  const payload = (offsets: readonly number[], isStale = false): EachBatchPayload =>
    ({
      batch: {
        topic: 't',
        partition: PARTITION,
        highWatermark: '100',
        messages: offsets.map((offset) => ({
          offset: String(offset),
          key: null,
          value: Buffer.from(`v${offset}`),
          headers: { name: Buffer.from('ä') },
        })),
      },
      resolveOffset: (offset: string) => void resolved.push(offset),
      isStale: () => isStale,
    }) as unknown as EachBatchPayload;
  const work = (offsets: readonly number[], parts: Partial<BatchWork> = {}): Promise<void> =>
    workOnBatch({
      payload: payload(offsets),
      membership,
      isCurrent: () => true,
      mayGoOn: () => true,
      answer: (batch) => {
        handed.push(batch);
        return Promise.resolve((batch.messages.at(-1)?.offset ?? 0) + 1);
      },
      moved: () => void events.push('moved'),
      failed: (partition, attempts) => void events.push(`${partition} failed ${attempts}`),
      ...parts,
    });
  const offsetsHanded = (): number[][] => handed.map(({ messages }) => messages.map(({ offset }) => offset));

  it('passes all messages as text to the handler, and continues at the offset that it returns', async () => {
    await work([7, 8]);
    expect(handed).toEqual([
      {
        topic: 't',
        partition: PARTITION,
        end: 100,
        messages: [
          { offset: 7, key: '', value: 'v7', headers: { name: 'ä' } },
          { offset: 8, key: '', value: 'v8', headers: { name: 'ä' } },
        ],
      },
    ]);
    // kafkajs is told of the last message that is done.
    expect(resolved).toEqual(['8']);
    expect(progress()).toMatchObject({ position: 9, end: 100, failure: null, unrecorded: true });
    expect(events).toEqual(['moved']);
  });

  it('seeks to the returned offset, even to the first', async () => {
    await work([7, 8], { answer: () => Promise.resolve(0) });
    expect(resolved).toEqual(['-1']);
    expect(progress().position).toBe(0);
  });

  it('stays at its offset if the handler rejects, and counts the attempts', async () => {
    const poison = new Error('poison');
    await work([7], { answer: () => Promise.reject(poison) });
    await work([7], { answer: () => Promise.reject(poison) });
    expect(resolved).toEqual([]);
    expect(progress().failure).toEqual({ attempts: 2, error: poison });
    expect(events).toEqual([`${PARTITION} failed 1`, `${PARTITION} failed 2`]);
    await work([7]);
    expect(progress().failure).toBeNull();
  });

  it.each([101, -1, 1.5, Number.NaN, '8', undefined])('treats a returned %p as a rejection', async (answer) => {
    await work([7], { answer: () => Promise.resolve(answer) });
    expect(resolved).toEqual([]);
    expect(String(progress().failure?.error)).toContain('no offset up to 100');
  });

  it('accepts messages beyond the high watermark of their fetch', async () => {
    await work([99, 100, 101]);
    expect(handed.map(({ end }) => end)).toEqual([102]);
    expect(resolved).toEqual(['101']);
    expect(progress()).toMatchObject({ position: 102, end: 102, failure: null });
    expect(events).toEqual(['moved']);
  });

  it('waits until the assignment is prepared, and does nothing if it has changed', async () => {
    let prepared = (): void => undefined;
    membership.prepared = new Promise((resolve) => (prepared = resolve));
    let isCurrent = true;
    const working = work([7], { isCurrent: () => isCurrent });
    await Promise.resolve();
    expect(handed).toEqual([]);
    isCurrent = false;
    prepared();
    await working;
    expect(handed).toEqual([]);
  });

  it('does not continue in an assignment that has ended', async () => {
    await work([7], { mayGoOn: () => false });
    expect(handed).toHaveLength(1);
    expect(resolved).toEqual([]);
    expect(progress()).toMatchObject({ position: null, unrecorded: false });
  });

  it('ignores a batch that was fetched before a seek', async () => {
    await work([7], { payload: payload([7], true) });
    expect(handed).toEqual([]);
  });

  it('ignores a batch of a partition that is not owned', async () => {
    membership = new Membership([PARTITION + 1]);
    await work([7]);
    expect(handed).toEqual([]);
  });

  describe('of a partition that is to begin at an offset', () => {
    beforeEach(() => {
      progress().beginAt = 7;
    });

    it('seeks again, once, if the first batch begins after the offset', async () => {
      await work([9, 10]);
      expect(resolved).toEqual(['6']);
      expect(handed).toEqual([]);
      // What was there is not kept any more.
      await work([8, 9]);
      expect(offsetsHanded()).toEqual([[8, 9]]);
    });

    it('leaves out messages before the offset', async () => {
      await work([5, 6, 7, 8]);
      expect(offsetsHanded()).toEqual([[7, 8]]);
    });

    it('seeks again if all messages are before the offset', async () => {
      await work([5, 6]);
      expect(resolved).toEqual(['6']);
      expect(handed).toEqual([]);
      await work([7]);
      expect(offsetsHanded()).toEqual([[7]]);
    });
  });
});
