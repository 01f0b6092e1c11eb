import { ManualClock } from '@laurel/testing/clock';
import { StartSteps } from './start-steps.ts';

describe('the steps of a start', () => {
  let clock: ManualClock;
  let reports: [step: string, seconds: number | null][];
  let steps: StartSteps;
  beforeEach(() => {
    clock = new ManualClock();
    reports = [];
    steps = new StartSteps(clock, (step, seconds) => reports.push([step, seconds]));
  });

  it('are reported with their duration when the next one begins', async () => {
    steps.begin('opening the database');
    await clock.advance(1_500);
    expect(reports).toEqual([]);
    steps.begin('migrating the database');
    await clock.advance(250);
    steps.end();
    expect(reports).toEqual([
      ['opening the database', 1.5],
      ['migrating the database', 0.25],
    ]);
    expect(clock.timers).toBe(0);
  });

  it('are reported while they run when they take long', async () => {
    steps.begin('catching up with the log');
    await clock.advance(2_000);
    expect(reports).toEqual([['catching up with the log', null]]);
    await clock.advance(58_000);
    expect(steps.current).toEqual({ step: 'catching up with the log', seconds: 60 });
    steps.end();
    expect(reports.slice(1)).toEqual([['catching up with the log', 60]]);
  });

  it('are not reported after the start was abandoned', async () => {
    steps.begin('opening the database');
    steps.abandon();
    steps.end();
    await clock.advance(60_000);
    expect(reports).toEqual([]);
  });
});
