import { ManualClock } from '@laurel/testing/clock';
import { FailedAttempts } from './failed-attempts.ts';

describe('failed attempts to sign in', () => {
  let clock: ManualClock;
  let attempts: FailedAttempts;
  beforeEach(() => {
    clock = new ManualClock();
    attempts = new FailedAttempts(clock);
  });
  const fail = (address: string, times: number) => {
    for (let time = 0; time < times; time++) attempts.note(address);
  };

  it('are limited to ten a minute per address, until the first is a minute old', async () => {
    fail('10.0.0.1', 1);
    await clock.advance(20_000);
    fail('10.0.0.1', 8);
    expect(attempts.waitOf('10.0.0.1')).toBe(0);
    fail('10.0.0.1', 1);
    expect(attempts.waitOf('10.0.0.1')).toBe(40_000);
    expect(attempts.waitOf('10.0.0.2')).toBe(0);
    await clock.advance(40_000);
    expect(attempts.waitOf('10.0.0.1')).toBe(0);
    fail('10.0.0.1', 1);
    expect(attempts.waitOf('10.0.0.1')).toBe(20_000);
  });

  it('do not count when they are forgiven', () => {
    for (let time = 0; time < 50; time++) {
      attempts.note('10.0.0.1');
      attempts.forgive('10.0.0.1');
    }
    fail('10.0.0.1', 9);
    expect(attempts.waitOf('10.0.0.1')).toBe(0);
  });

  it('are kept for 10,000 addresses: the one that failed longest ago is dropped', () => {
    fail('the first', 10);
    for (let address = 0; address < 9_999; address++) fail(`address ${address}`, 1);
    expect(attempts.waitOf('the first')).toBeGreaterThan(0);
    fail('one more', 1);
    expect(attempts.waitOf('the first')).toBe(0);
  });
});
