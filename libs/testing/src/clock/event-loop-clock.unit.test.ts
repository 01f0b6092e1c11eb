import { EventLoopClock } from './event-loop-clock.ts';

const clock = new EventLoopClock();
const wait = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));

/** Keeps the event loop from turning. */
function block(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

describe('EventLoopClock', () => {
  it('counts a turn of the event loop as at most 10 ms, however long it takes', async () => {
    await wait(5);
    const before = clock.elapsedMs();
    let turns = 0;
    while (clock.elapsedMs() < before + 100) {
      block(30);
      turns++;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it('never runs faster than real time', async () => {
    const [before, startedMs] = [clock.elapsedMs(), performance.now()];
    await wait(100);
    expect(clock.elapsedMs() - before).toBeGreaterThanOrEqual(100);
    // The tick under way had begun before.
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(100 - 10);
  });

  it('runs due tasks in order, and no cancelled ones', async () => {
    const ran: string[] = [];
    clock.after(20, () => ran.push('later'));
    const cancel = clock.after(12, () => ran.push('cancelled'));
    clock.after(10, () => {
      ran.push('sooner');
      cancel();
    });
    await wait(40);
    expect(ran).toEqual(['sooner', 'later']);
  });
});
