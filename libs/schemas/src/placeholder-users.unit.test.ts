import { ManualClock } from '@laurel/testing/clock';
import { watchPlaceholderUsers } from './placeholder-users.ts';

describe('watchPlaceholderUsers', () => {
  it('warns at the start, and within a minute of each new such user, until it is stopped', async () => {
    let ids = ['undefined'];
    let isReachable = true;
    const reads = {
      directory: {
        findAll: (_: string, asked: readonly string[]) =>
          isReachable
            ? Promise.resolve(new Map(asked.filter((id) => ids.includes(id)).map((id, place) => [id, place + 1])))
            : Promise.reject(new Error('unreachable')),
      },
      users: {
        profiles: (_: string, subjects: readonly number[]) =>
          Promise.resolve(new Map(subjects.map((one) => [one, {}]))),
      },
    } as unknown as Parameters<typeof watchPlaceholderUsers>[0];
    const clock = new ManualClock();
    const warned: (readonly string[])[] = [];
    const stop = watchPlaceholderUsers(reads, 'default', clock, (users) => void warned.push(users));
    await clock.advance(0);
    expect(warned).toEqual([['undefined']]);
    isReachable = false;
    await clock.advance(60_000);
    isReachable = true;
    await clock.advance(60_000);
    expect(warned).toHaveLength(1);
    ids = ['undefined', '[object Object]'];
    await clock.advance(60_000);
    expect(warned).toEqual([['undefined'], ['undefined', '[object Object]']]);
    stop();
    expect(clock.timers).toBe(0);
  });
});
