import type { RecordedEvent } from '@laurel/kernel';
import { partitionOf } from '@laurel/event-stream';
import type { PartitionProgress } from '../answers/index.ts';
import { SettledRecords } from './settled-records.ts';

const PARTITIONS = 2;
const subjectIn = (partition: number): number => {
  for (let subject = 1; ; subject++) if (partitionOf('default', subject, PARTITIONS) === partition) return subject;
};
const [FIRST, SECOND] = [subjectIn(0), subjectIn(1)];

const record = (position: number, fact: object): RecordedEvent =>
  ({ account: 'default', position, fact }) as RecordedEvent;
const ofUser = (position: number, subject: number) => record(position, { type: 'MetricEventRecorded', subject });

/** The checkpoints of two partitions of users and two of boards. */
function checkpoints(withheld: readonly number[] = []) {
  const users = new Map<number, PartitionProgress>();
  const boards = new Map<number, Record<string, number>>();
  const settled = new SettledRecords({
    applied: {
      read: async (partition) =>
        users.get(partition) ?? { isHalted: false, positions: [0, 0, 0], sentToBoards: new Map() },
    },
    sql: {
      query: async <R extends object>() =>
        [...boards].map(([partition, received]) => ({ partition, received })) as unknown as R[],
    },
    partitions: PARTITIONS,
    withheld: () => Promise.resolve(new Set(withheld)),
  });
  const positionsOf = async (records: readonly RecordedEvent[]) =>
    (await settled.first(records)).map(({ position }) => position);
  return { users, boards, positionsOf };
}

const LOG = [ofUser(1, FIRST), ofUser(2, SECOND), record(3, { type: 'ImportClosed' }), ofUser(4, FIRST)];

describe('the settled records of a log', () => {
  it('include records that no service receives', async () => {
    const { users, positionsOf } = checkpoints([1, 4]);
    users.set(1, { isHalted: false, positions: [2, 2, 2], sentToBoards: new Map() });
    expect(await positionsOf(LOG)).toEqual([1, 2, 3, 4]);
  });

  it('end before the first record that a service of its partition has not applied', async () => {
    const { users, positionsOf } = checkpoints();
    expect(await positionsOf(LOG)).toEqual([]);
    users.set(0, { isHalted: false, positions: [4, 4, 4], sentToBoards: new Map() });
    expect(await positionsOf(LOG)).toEqual([1]);
    users.set(1, { isHalted: false, positions: [2, 2, 1], sentToBoards: new Map() });
    expect(await positionsOf(LOG)).toEqual([1]);
    users.set(1, { isHalted: false, positions: [2, 2, 2], sentToBoards: new Map() });
    expect(await positionsOf(LOG)).toEqual([1, 2, 3, 4]);
  });

  it('include a sweep only when it is applied for each of its users', async () => {
    const { users, positionsOf } = checkpoints();
    const sweep = [record(7, { type: 'UsersSwept', subjects: [FIRST, SECOND] })];
    users.set(0, { isHalted: false, positions: [7, 7, 7], sentToBoards: new Map() });
    expect(await positionsOf(sweep)).toEqual([]);
    users.set(1, { isHalted: false, positions: [7, 7, 7], sentToBoards: new Map() });
    expect(await positionsOf(sweep)).toEqual([7]);
  });

  it('end before a record whose boards have not received it, whatever else came later', async () => {
    const { users, boards, positionsOf } = checkpoints();
    users.set(0, { isHalted: false, positions: [1, 1, 1], sentToBoards: new Map([[1, 10]]) });
    boards.set(1, { 0: 9 });
    expect(await positionsOf(LOG)).toEqual([]);
    users.set(0, { isHalted: false, positions: [4, 4, 4], sentToBoards: new Map([[1, 13]]) });
    users.set(1, { isHalted: false, positions: [2, 2, 2], sentToBoards: new Map() });
    boards.set(1, { 0: 10, 1: 99 });
    expect(await positionsOf(LOG)).toEqual([1, 2, 3]);
    boards.set(1, { 0: 13 });
    expect(await positionsOf(LOG)).toEqual([1, 2, 3, 4]);
  });
});
