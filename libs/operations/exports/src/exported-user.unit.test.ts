import type { DomainEvent, RecordedEvent } from '@laurel/kernel';
import { recordsOfUser, type LogOfUsers } from './exported-user.ts';

const ADA = 7;

const recordAt = (position: number, fact: DomainEvent, account = 'default'): RecordedEvent => ({
  position,
  eventId: `00000000-0000-7000-8000-${String(position).padStart(12, '0')}`,
  account,
  configurationVersion: 1,
  occurredAt: 0,
  recordedAt: position,
  fact,
});

const identified = (subject: number): DomainEvent => ({ type: 'UserIdentified', subject, user: {} });

/** The user's among many others', with gaps, in another account, and behind the head. */
const RECORDS = [
  recordAt(1, identified(ADA)),
  recordAt(2, { type: 'ImportOpened' }),
  ...Array.from({ length: 2_500 }, (_, n) => recordAt(10 * (n + 1), identified(n % 500 === 0 ? ADA : 1_000 + n))),
  recordAt(30_000, identified(ADA), 'another'),
  recordAt(30_001, identified(ADA)),
  recordAt(30_002, identified(ADA)),
];
const HEAD = 30_001;
const EXPECTED = [1, 10, 5_010, 10_010, 15_010, 20_010, 30_001];

const log: LogOfUsers = {
  head: () => Promise.resolve(HEAD),
  read: (after, limit) => Promise.resolve(RECORDS.filter(({ position }) => position > after).slice(0, limit)),
};

const isOf = (subject: number, { fact }: RecordedEvent): boolean => 'subject' in fact && fact.subject === subject;

async function positions(of: LogOfUsers): Promise<number[]> {
  const read: number[] = [];
  for await (const page of recordsOfUser(of, 'default', ADA)) read.push(...page.map(({ position }) => position));
  return read;
}

describe('recordsOfUser', () => {
  it('finds the events of a user in an event store without an index of users', async () => {
    expect(await positions(log)).toEqual(EXPECTED);
  });

  it('reads an event store with an index of users in windows of at most 10,000 positions', async () => {
    const widths: number[] = [];
    const readOfUser: LogOfUsers['readOfUser'] = (account, subject, after, upTo) => {
      widths.push(upTo - after);
      return Promise.resolve(
        RECORDS.filter(
          (one) => one.position > after && one.position <= upTo && one.account === account && isOf(subject, one),
        ),
      );
    };
    const read = () => Promise.reject(new Error('it is not asked'));
    expect(await positions({ ...log, read, readOfUser })).toEqual(EXPECTED);
    expect(widths).toEqual([10_000, 10_000, 10_000, 1]);
  });
});
