import { LOG } from '@laurel/event-store';
import { partitionOf } from '@laurel/event-stream';
import type { PartitionProgress } from '../answers/index.ts';
import { AppliedLog } from './applied-log.ts';

const PARTITIONS = 2;
const subjectIn = (partition: number): number => {
  for (let subject = 1; ; subject++) if (partitionOf('default', subject, PARTITIONS) === partition) return subject;
};
const [FIRST, SECOND] = [subjectIn(0), subjectIn(1)];

/** A log of users by position, and two partitions in which no service has applied anything. */
function log() {
  const subjects = new Map<number, number>();
  const progress = [0, 0].map((): PartitionProgress => ({
    isHalted: false,
    positions: [0, 0, 0],
    sentToBoards: new Map(),
  }));
  const state = { subjects, reads: 0 };
  const applied = new AppliedLog({
    applied: { read: (partition) => Promise.resolve(progress[partition] as PartitionProgress) },
    log: {
      before: (upTo, records) => Promise.resolve(Math.max(0, upTo - records)),
      count: (after, upTo, most) => Promise.resolve(Math.min(most, upTo - after)),
    },
    tables: LOG,
    sql: {
      query: <R extends object>(_: string, [after]: readonly unknown[]) => {
        state.reads++;
        const behind = [...subjects].filter(([position]) => position > Number(after)).slice(0, 1_000);
        const rows = behind.map(([position, subject]) => ({
          position: `${position}`,
          account: 'default',
          subject: `${subject}`,
        }));
        return Promise.resolve(rows as unknown as R[]);
      },
    },
    partitions: PARTITIONS,
  });
  const apply = (partition: number, positions: readonly number[], isHalted = false) => {
    progress[partition] = { isHalted, positions, sentToBoards: new Map() };
  };
  return { state, subjects, apply, position: () => applied.position() };
}

describe('the position up to which the log is applied', () => {
  it('stays before the first record that a service of its partition has not applied', async () => {
    const { subjects, apply, position } = log();
    expect(await position()).toBe(0);
    [FIRST, SECOND, FIRST, SECOND].forEach((subject, place) => subjects.set(10 * (place + 1), subject));
    expect(await position()).toBe(0);
    apply(0, [30, 30, 30]);
    expect(await position()).toBe(10);
    apply(1, [40, 40, 19]);
    expect(await position()).toBe(10);
    apply(1, [40, 40, 20]);
    expect(await position()).toBe(30);
    apply(1, [40, 40, 40]);
    expect(await position()).toBe(40);
  });

  it('moves past partitions without further records', async () => {
    const { subjects, apply, position } = log();
    for (let at = 1; at <= 2_500; at++) subjects.set(at, at === 1 ? SECOND : FIRST);
    apply(0, [2_500, 2_500, 2_500]);
    apply(1, [1, 1, 1]);
    expect(await position()).toBe(2_500);
  });

  it('never moves back and ignores partitions in which a service has halted', async () => {
    const { subjects, apply, position } = log();
    [FIRST, SECOND, FIRST].forEach((subject, place) => subjects.set(place + 1, subject));
    apply(0, [3, 3, 3]);
    apply(1, [0, 0, 0], true);
    expect(await position()).toBe(3);
    subjects.set(4, SECOND);
    apply(1, [0, 0, 0]);
    expect(await position()).toBe(3);
    apply(1, [4, 4, 4]);
    expect(await position()).toBe(4);
  });

  it('ignores partitions more than 10,000 records behind the fastest', async () => {
    const { subjects, apply, position } = log();
    subjects.set(5, SECOND);
    for (let at = 6; at <= 20_010; at++) subjects.set(at, FIRST);
    apply(0, [9_000, 9_000, 9_000]);
    expect(await position()).toBe(0);
    apply(0, [20_010, 20_010, 20_010]);
    expect(await position()).toBe(20_010);
  });

  it('is read once for simultaneous requests, and again after a failure', async () => {
    const { state, subjects, apply, position } = log();
    subjects.set(1, FIRST);
    apply(0, [1, 1, 1]);
    const { reads } = state;
    expect(await Promise.all([position(), position(), position()])).toEqual([1, 1, 1]);
    expect(state.reads).toBe(reads + 1);
    const broken = new AppliedLog({
      applied: { read: () => Promise.reject(new Error('away')) },
      log: {
        before: () => Promise.reject(new Error('nobody asks')),
        count: () => Promise.reject(new Error('nobody asks')),
      },
      sql: { query: () => Promise.reject(new Error('nobody asks')) },
      tables: LOG,
      partitions: 1,
    });
    for (let times = 0; times < 2; times++) await expect(broken.position()).rejects.toThrow('away');
  });
});
