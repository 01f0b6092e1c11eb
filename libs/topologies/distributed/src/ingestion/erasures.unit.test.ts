import type { Command } from '@laurel/kernel';
import { refused } from '@laurel/engine';
import { subjectOf } from '@laurel/testing/subjects';
import { atMost, erasuresRefused } from './erasures.ts';

const erasing = (user: string): Command => ({
  ...{ type: 'EraseUser', account: 'default', boards: 'remove', attribution: {} },
  subject: subjectOf(user),
});
const naming: Command = { type: 'IdentifyUser', account: 'default', subject: subjectOf('bob'), user: {} };

function refusals(commands: readonly Command[], { isOpen = false, stopped = false, looks = { count: 0 } } = {}) {
  const services = [
    { service: 'streak-service', stopped: [] },
    { service: 'points-service', stopped: stopped ? [{ partition: 1, offset: 7, reason: 'broken' }] : [] },
  ];
  const look = () => {
    looks.count++;
    return Promise.resolve({ services } as never);
  };
  return erasuresRefused(commands, { imports: { isOpen: () => Promise.resolve(isOpen) }, watch: { look } });
}

describe('an erasure', () => {
  it('is refused while an import is open, and while a service has stopped; nothing else is', async () => {
    const [ada, bob] = [erasing('ada'), erasing('bob')];
    expect(await refusals([ada, naming, bob])).toEqual(new Map());
    const open = refused('import_open', null);
    expect(await refusals([ada, naming, bob], { isOpen: true, stopped: true })).toEqual(
      new Map([
        [ada, open],
        [bob, open],
      ]),
    );
    expect(await refusals([naming, bob], { stopped: true })).toEqual(new Map([[bob, refused('area_stopped', null)]]));
  });

  it('alone is looked at: other commands do not wait for the services', async () => {
    const looks = { count: 0 };
    await refusals([naming], { looks });
    expect(looks.count).toBe(0);
  });
});

describe('the counting of what an erasure changes', () => {
  it('is bounded: one more is turned away, and taken once another has ended, however it ended', async () => {
    const ends: (() => void)[] = [];
    const count = atMost(
      2,
      (failure: Error | null) =>
        new Promise<void>((resolve, reject) => ends.push(() => (failure ? reject(failure) : resolve()))),
    );
    const overloaded = { problem: { status: 503, code: 'overloaded' }, headers: { 'retry-after': '1' } };
    const [first, second] = [count(new Error('lost')), count(null)];
    await expect(count(null)).rejects.toMatchObject(overloaded);
    ends[0]?.();
    await expect(first).rejects.toThrow('lost');
    const third = count(null);
    await expect(count(null)).rejects.toMatchObject(overloaded);
    for (const end of ends.slice(1)) end();
    expect(await Promise.all([second, third])).toHaveLength(2);
  });
});
