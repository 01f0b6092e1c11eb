import { clockNote, createClock, LONGEST_DELAY_MS } from './clock.ts';

const AT = Date.UTC(2026, 0, 31, 12);

describe('the clock', () => {
  it('stands still when it is frozen', () => {
    const clock = createClock({ type: 'frozen', at: AT });
    expect([clock.now(), clock.now()]).toEqual([AT, AT]);
  });

  it('continues from the given instant in whole milliseconds', async () => {
    const clock = createClock({ type: 'started', at: AT });
    expect(clock.now()).toBeGreaterThanOrEqual(AT);
    await new Promise<void>((resolve) => clock.after(2, resolve));
    expect(clock.now()).toBeGreaterThan(AT);
    expect(Number.isInteger(clock.now())).toBe(true);
  });

  it('refuses a delay that a timer would run at once', () => {
    const { after } = createClock({ type: 'system' });
    for (const delayMs of [LONGEST_DELAY_MS + 1, -1, NaN, Infinity])
      expect(() => after(delayMs, () => undefined)).toThrow(RangeError);
    after(LONGEST_DELAY_MS, () => undefined)();
  });

  it('does not run a cancelled task', async () => {
    const { after } = createClock({ type: 'system' });
    const ran: string[] = [];
    const cancel = after(0, () => ran.push('cancelled'));
    cancel();
    await new Promise<void>((resolve) => after(5, resolve));
    expect(ran).toEqual([]);
  });

  it('has a note when it is not the clock of the machine', () => {
    expect(clockNote({ type: 'system' })).toBeNull();
    expect(clockNote({ type: 'frozen', at: AT })).toBe('LAUREL_CLOCK: stands still at 2026-01-31T12:00:00.000Z');
    expect(clockNote({ type: 'started', at: AT })).toContain('started at 2026-01-31T12:00:00.000Z');
  });
});
