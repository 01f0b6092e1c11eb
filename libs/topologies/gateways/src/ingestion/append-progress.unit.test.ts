import { LogOverloadedError, type AppendOutcome } from '@laurel/event-store';
import { ManualClock } from '@laurel/testing/clock';
import { AppendProgress } from './append-progress.ts';

/** An append that a test answers. */
class Append {
  answer: (outcomes: readonly AppendOutcome[]) => void = () => undefined;
  fail: (error: Error) => void = () => undefined;
  readonly measured: Promise<unknown>;

  constructor(progress: AppendProgress) {
    const run = () =>
      new Promise<readonly AppendOutcome[]>((resolve, reject) => {
        [this.answer, this.fail] = [resolve, reject];
      });
    this.measured = progress.measure(run).catch((error: unknown) => error);
  }
}

const error = new Error('away');
const TAKEN: readonly AppendOutcome[] = [{ kind: 'rejected', error }];
const FAILED: readonly AppendOutcome[] = [{ kind: 'failed', recorded: 'nothing', error }];

describe('the progress of appends', () => {
  let clock: ManualClock;
  let progress: AppendProgress;
  beforeEach(() => {
    clock = new ManualClock();
    progress = new AppendProgress(clock);
  });

  it('measures a stall from the last answer, not from the oldest append, while others are answered', async () => {
    const oldest = new Append(progress);
    await clock.advance(4_000);
    const next = new Append(progress);
    next.answer(TAKEN);
    await next.measured;
    await clock.advance(3_000);
    expect([progress.stalledMs, progress.state]).toEqual([3_000, 'open']);
    await clock.advance(2_000);
    expect([progress.stalledMs, progress.state]).toEqual([5_000, 'waiting']);
    oldest.answer(TAKEN);
    await oldest.measured;
    expect([progress.stalledMs, progress.state]).toEqual([0, 'open']);
  });

  it.each([
    ['is answered as failed', (append: Append) => append.answer(FAILED)],
    ['throws', (append: Append) => append.fail(error)],
  ])('is waiting after an append that %s, until one succeeds', async (_name, end) => {
    const failing = new Append(progress);
    end(failing);
    await failing.measured;
    expect(progress.state).toBe('waiting');
    await clock.advance(30_000);
    expect(progress.state).toBe('open');
    const taken = new Append(progress);
    expect(progress.state).toBe('waiting');
    taken.answer(TAKEN);
    await taken.measured;
    const under = new Append(progress);
    expect(progress.state).toBe('open');
    under.answer(TAKEN);
    await under.measured;
  });

  it('ignores appends that are refused because too many are waiting', async () => {
    const turnAway = async () => {
      const turnedAway = new Append(progress);
      turnedAway.fail(new LogOverloadedError('20000 records wait to be appended already'));
      await turnedAway.measured;
    };
    const before = new Append(progress);
    await turnAway();
    expect(progress.state).toBe('open');
    await clock.advance(5_000);
    await turnAway();
    expect([progress.stalledMs, progress.state]).toEqual([5_000, 'waiting']);
    before.answer(TAKEN);
    await before.measured;
    expect(progress.state).toBe('open');
  });
});
