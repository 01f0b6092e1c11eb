import { compileHistory } from '@laurel/configuration';
import type { RecordedUserEvent, UserRef } from '@laurel/kernel';
import { publicationsIn, recordedUserEventOf, type UserEvents } from '@laurel/engine';
import { lesson, live } from '@laurel/testing/histories';
import { FoldedUser } from './folded-user.ts';
import { FoldedUsers } from './folded-users.ts';

/** A user of so many events, of which the first `shown` can be read. */
async function known(events: number) {
  const commands = Array.from({ length: events }, () => lesson('ada'));
  const { records } = await live([{ type: 'submit', afterMs: 0, commands }], 250);
  const { subject } = lesson('ada');
  const own = records.flatMap((record) => ('subject' in record.fact ? [recordedUserEventOf(record, subject)] : []));
  const user: UserRef = { account: 'default', subject };
  const history = compileHistory('default', publicationsIn(records));
  const log = {
    own,
    shown: own.length,
    failure: null as Error | null,
    reads: [] as number[],
    hold: null as Promise<void> | null,
  };
  const reads = {
    read: async (_user: UserRef, after: number, limit: number): Promise<readonly RecordedUserEvent[]> => {
      if (log.failure !== null) throw log.failure;
      await log.hold;
      const page = log.own.slice(0, log.shown).filter(({ position }) => position > after);
      log.reads.push(Math.min(limit, page.length));
      return page.slice(0, limit);
    },
    correctionsOf: async () => log.own.filter(({ fact }) => fact.type === 'CorrectionRecorded'),
    amendedBy: () => Promise.resolve([]),
  } as unknown as UserEvents;
  const open = (mostBytes?: number) => new FoldedUsers(reads, () => history, mostBytes);
  return { user, log, open, folded: open() };
}

/** What is answered once the user is folded. */
async function answered(folded: FoldedUsers, user: UserRef): ReturnType<FoldedUsers['find']> {
  for (;;) {
    const found = await folded.find(user);
    if (found !== 'preparing') return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('a user with many events', () => {
  it('is folded in the background, and extended with later events', async () => {
    const { user, log, folded } = await known(200);
    log.shown = 60;
    expect(await folded.find(user)).toBe('preparing');
    const ready = await answered(folded, user);
    expect(ready).toBeInstanceOf(FoldedUser);
    log.shown = 80;
    log.reads = [];
    const [one, other] = await Promise.all([folded.find(user), folded.find(user)]);
    expect([one, other, log.reads]).toEqual([ready, ready, [20]]);
    log.shown = 200;
    expect(await folded.find(user)).toBe('preparing');
    const { segments } = (await answered(folded, user)) as FoldedUser;
    expect(segments.flatMap(({ positions }) => positions)).toEqual(log.own.map(({ position }) => position));
  });

  it('is dropped on request, even during the fold', async () => {
    const { user, folded } = await known(40);
    await folded.find(user);
    folded.forget(user);
    expect(await folded.find(user)).toBe('preparing');
    expect(await answered(folded, user)).toBeInstanceOf(FoldedUser);
    folded.forget(user);
    expect(await folded.find(user)).toBe('preparing');
  });

  it('is folded in the background again after a correction, however few events follow', async () => {
    const { user, log, folded } = await known(40);
    const retract = { position: 3, eventId: log.own[2]?.eventId ?? '', retract: true as const };
    const correction = { type: 'CorrectionRecorded', subject: user.subject, corrections: [retract] } as const;
    const last = log.own.at(-1) as RecordedUserEvent;
    const options = { achievements: 'recompute', finalRuns: 'keep', preview: 'p', keyHash: null } as const;
    log.own = [...log.own.slice(0, -1), { ...last, fact: { ...correction, ...options } }];
    log.shown = 39;
    await folded.find(user);
    await answered(folded, user);
    log.shown = 40;
    expect(await folded.find(user)).toBe('preparing');
    const { segments } = (await answered(folded, user)) as FoldedUser;
    expect(segments.map(({ positions }) => positions.length)).toEqual([25, 14, 1]);
    expect(segments.map(({ correction: made }) => made?.record.position ?? null)).toEqual([null, null, last.position]);
  });

  it('is refused at once while 17 others are being folded or wait', async () => {
    const { user, log, folded } = await known(40);
    let proceed: () => void = () => undefined;
    log.hold = new Promise((resolve) => (proceed = resolve));
    const others = Array.from({ length: 17 }, (_, index) => ({ ...user, account: `other ${index}` }));
    for (const other of others) expect(await folded.find(other)).toBe('preparing');
    await expect(folded.find(user)).rejects.toMatchObject({
      problem: { code: 'overloaded', detail: '17 explanations are under way already; nothing was done.' },
    });
    proceed();
    for (const other of others) expect(await answered(folded, other)).toBeInstanceOf(FoldedUser);
    expect(await folded.find(user)).toBe('preparing');
  });

  it('is measured again after growing', async () => {
    const { user, log, open, folded } = await known(40);
    log.shown = 30;
    await folded.find(user);
    const { bytes } = (await answered(folded, user)) as FoldedUser;
    const bounded = open(bytes + 2);
    await bounded.find(user);
    expect(await answered(bounded, user)).toBeInstanceOf(FoldedUser);
    log.shown = 40;
    expect(await bounded.find(user)).toBe('too_many');
  });

  it('loses the record of a failure after 1,000 later failures of others', async () => {
    const { user, log, folded } = await known(1);
    log.failure = new Error('the database is gone');
    const failed = async (account: string): Promise<void> => {
      expect(await folded.find({ ...user, account })).toBe('preparing');
      await new Promise((resolve) => setImmediate(resolve));
    };
    await failed('default');
    for (let other = 0; other < 1_000; other++) await failed(`other ${other}`);
    expect(await folded.find(user)).toBe('preparing');
    await expect(folded.find({ ...user, account: 'other 999' })).rejects.toThrow('the database is gone');
  });

  it('is folded again after a failure, which one answer reports', async () => {
    const { user, log, folded } = await known(40);
    log.failure = new Error('the database is gone');
    expect(await folded.find(user)).toBe('preparing');
    await expect(answered(folded, user)).rejects.toThrow('the database is gone');
    log.failure = null;
    expect(await folded.find(user)).toBe('preparing');
    expect(await answered(folded, user)).toBeInstanceOf(FoldedUser);
  });
});
