import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '@laurel/ports';
import { AwaitedHead } from './awaited-head.ts';

/** Time that passes when the test says so. */
function handClock() {
  const timers = new Map<() => void, number>();
  let now = 0;
  const clock: Clock = {
    now: () => now,
    elapsedMs: () => now,
    after: (ms, task) => {
      const run = () => task();
      timers.set(run, now + ms);
      return () => void timers.delete(run);
    },
  };
  const pass = async (ms: number): Promise<void> => {
    now += ms;
    for (const [run, at] of [...timers]) {
      if (at > now) continue;
      timers.delete(run);
      run();
    }
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return { clock, pass, timers };
}

const caller = () => new EventEmitter() as IncomingMessage;

function waitingFor(head: { newest: number | Error }) {
  const time = handClock();
  let looks = 0;
  const listeners = new Set<() => void>();
  const awaited = new AwaitedHead(
    {
      newest: () => {
        looks += 1;
        return head.newest instanceof Error ? Promise.reject(head.newest) : Promise.resolve(head.newest);
      },
      onGrown: (listener) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    time.clock,
  );
  return { awaited, ...time, looks: () => looks, listeners };
}

describe('callers who wait for new outcomes', () => {
  it('are woken together by one query, also when another process added outcomes', async () => {
    const head = { newest: 5 };
    const { awaited, pass, looks, timers } = waitingFor(head);
    const woken = Array.from({ length: 30 }, () => awaited.wait('default', 5, 30_000, caller()));
    await pass(500);
    expect(looks()).toBe(1);
    head.newest = 6;
    await pass(500);
    expect(await Promise.all(woken)).toEqual(woken.map(() => true));
    expect(looks()).toBe(2);
    expect(timers.size).toBe(0);
  });

  it('are woken at once when this process added the outcomes that they wait for', async () => {
    const head = { newest: 5 };
    const { awaited, pass, listeners } = waitingFor(head);
    const [near, far] = [5, 9].map((behind) => awaited.wait('default', behind, 30_000, caller()));
    let farWoke = false;
    void far?.then(() => (farWoke = true));
    head.newest = 7;
    for (const listener of listeners) listener();
    expect(await near).toBe(true);
    expect(farWoke).toBe(false);
    await pass(30_000);
    expect(await far).toBe(true);
    expect(listeners.size).toBe(0);
  });

  it('are limited in number, and leave room when they disconnect or time out', async () => {
    const { awaited, pass, looks } = waitingFor({ newest: 0 });
    const first = caller();
    const waiting = [first, ...Array.from({ length: 29 }, caller)].map((one) => awaited.wait('default', 0, 1_000, one));
    expect(await awaited.wait('default', 0, 1_000, caller())).toBe(false);
    first.emit('close');
    expect(await waiting[0]).toBe(true);
    const next = awaited.wait('default', 0, 2_000, caller());
    await pass(1_000);
    expect((await Promise.all(waiting)).every(Boolean)).toBe(true);
    await pass(1_000);
    expect(await next).toBe(true);
    const seen = looks();
    await pass(60_000);
    expect(looks()).toBe(seen);
    expect(await awaited.wait('default', 0, 0, caller())).toBe(false);
  });

  it('are woken when the query fails', async () => {
    const { awaited, pass } = waitingFor({ newest: new Error('the database is away') });
    const woken = awaited.wait('default', 0, 30_000, caller());
    await pass(500);
    expect(await woken).toBe(true);
  });
});
