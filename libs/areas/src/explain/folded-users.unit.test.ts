import { compileHistory } from '@laurel/configuration';
import type { UserRecord, UserRef } from '@laurel/contracts';
import { publicationsIn, userRecordOf, type UserEvents } from '@laurel/engine';
import { lesson, live } from '@laurel/testing/histories';
import { FoldedUser } from './folded-user.ts';
import { FoldedUsers } from './folded-users.ts';

/** A user of so many events, of which the first `shown` can be read. */
async function known(events: number) {
  const commands = Array.from({ length: events }, () => lesson('ada'));
  const { records } = await live([{ type: 'submit', afterMs: 0, commands }], 250);
  const { subject } = lesson('ada');
  const own = records.flatMap((record) => ('subject' in record.fact ? [userRecordOf(record, subject)] : []));
  const user: UserRef = { account: 'default', subject };
  const history = compileHistory('default', publicationsIn(records));
  const log = { own, shown: own.length, failure: null as Error | null, reads: [] as number[] };
  const reads = {
    read: (_user: UserRef, after: number, limit: number): Promise<readonly UserRecord[]> => {
      if (log.failure !== null) return Promise.reject(log.failure);
      const page = log.own.slice(0, log.shown).filter(({ position }) => position > after);
      log.reads.push(Math.min(limit, page.length));
      return Promise.resolve(page.slice(0, limit));
    },
  } as unknown as UserEvents;
  return { user, log, folded: new FoldedUsers(reads, () => history) };
}

/** What is answered once the user is folded. */
async function answered(folded: FoldedUsers, user: UserRef): ReturnType<FoldedUsers['find']> {
  for (;;) {
    const found = await folded.find(user);
    if (found !== 'preparing') return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('a user of many events', () => {
  it('is folded in the background, and gone on with by what is recorded since', async () => {
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

  it('is forgotten when it is asked for, also while it is folded', async () => {
    const { user, folded } = await known(40);
    await folded.find(user);
    folded.forget(user);
    expect(await folded.find(user)).toBe('preparing');
    expect(await answered(folded, user)).toBeInstanceOf(FoldedUser);
    folded.forget(user);
    expect(await folded.find(user)).toBe('preparing');
  });

  it('is not folded once it has a correction', async () => {
    const { user, log, folded } = await known(40);
    const last = log.own.at(-1) as UserRecord;
    const fact = { ...last.fact, type: 'CorrectionRecorded' } as unknown as UserRecord['fact'];
    log.own = [...log.own.slice(0, -1), { ...last, fact }];
    expect(await folded.find(user)).toBe('preparing');
    expect(await answered(folded, user)).toBe('too_many');
  });

  it('is folded anew behind a failure, of which one answer tells', async () => {
    const { user, log, folded } = await known(40);
    log.failure = new Error('the database is gone');
    expect(await folded.find(user)).toBe('preparing');
    await expect(answered(folded, user)).rejects.toThrow('the database is gone');
    log.failure = null;
    expect(await folded.find(user)).toBe('preparing');
    expect(await answered(folded, user)).toBeInstanceOf(FoldedUser);
  });
});
