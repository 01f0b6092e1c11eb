import { begunRuns, currentRun, isFinal, lastRun, runHolding, runTurns, statusOf, type BoardDates } from './runs.ts';

const board = (fields: Partial<BoardDates> = {}): BoardDates => ({
  start: '2026-01-31',
  end: null,
  run: null,
  ...fields,
});
const monthly = board({ run: { unit: 'month', interval: 1 } });
const at = (text: string): number => Date.parse(text);

describe('begunRuns', () => {
  const starts = (...asked: Parameters<typeof begunRuns>) => begunRuns(...asked).map(({ start }) => start);

  it('lists runs from the one that has begun in the easternmost zone back to the start of the board', () => {
    const all = ['2026-03-31', '2026-02-28', '2026-01-31'];
    expect(starts(monthly, at('2026-03-30T09:59:59Z'), null, 9)).toEqual(all.slice(1));
    expect(starts(monthly, at('2026-03-30T10:00:00Z'), null, 9)).toEqual(all);
    expect(starts(monthly, at('2026-03-30T10:00:00Z'), null, 2)).toEqual(all.slice(0, 2));
    expect(starts(monthly, at('2026-03-30T10:00:00Z'), '2026-03-31', 9)).toEqual(all.slice(1));
    expect(starts(monthly, at('2026-03-30T10:00:00Z'), '2026-01-31', 9)).toEqual([]);
    expect(starts(monthly, at('2026-01-30T09:00:00Z'), null, 9)).toEqual([]);
  });

  it('ends with the last run of a finished board, and lists a single run if there is no unit', () => {
    const ended = { ...monthly, end: '2026-03-01' };
    expect(begunRuns(ended, at('2030-01-01T00:00:00Z'), null, 1)).toEqual([{ start: '2026-02-28', end: '2026-03-01' }]);
    expect(begunRuns(board(), at('2030-01-01T00:00:00Z'), null, 9)).toEqual([{ start: '2026-01-31', end: null }]);
  });
});

describe('runHolding', () => {
  it("returns one run for a board without a unit, open or up to the board's end", () => {
    expect(runHolding(board(), '2031-05-05')).toEqual({ start: '2026-01-31', end: null });
    expect(runHolding(board({ end: '2026-12-31' }), '2026-06-01')).toEqual({ start: '2026-01-31', end: '2026-12-31' });
  });

  it('counts days from the start of the board, not from the calendar week', () => {
    const weekly = board({ start: '2004-11-01', run: { unit: 'day', interval: 7 } });
    expect(runHolding(weekly, '2004-11-07')).toEqual({ start: '2004-11-01', end: '2004-11-07' });
    expect(runHolding(weekly, '2004-11-08')).toEqual({ start: '2004-11-08', end: '2004-11-14' });
  });

  it("starts a run on the last day of a month that lacks the starting day, counting from the board's start", () => {
    expect(runHolding(monthly, '2026-02-27')).toEqual({ start: '2026-01-31', end: '2026-02-27' });
    expect(runHolding(monthly, '2026-02-28')).toEqual({ start: '2026-02-28', end: '2026-03-30' });
    expect(runHolding(monthly, '2026-03-31')).toEqual({ start: '2026-03-31', end: '2026-04-29' });
  });

  it('starts years on February 28 in common years if the board starts on a leap day', () => {
    const yearly = board({ start: '2024-02-29', run: { unit: 'year', interval: 1 } });
    expect(runHolding(yearly, '2025-02-27')).toEqual({ start: '2024-02-29', end: '2025-02-27' });
    expect(runHolding(yearly, '2025-02-28')).toEqual({ start: '2025-02-28', end: '2026-02-27' });
    expect(runHolding(yearly, '2028-03-01')).toEqual({ start: '2028-02-29', end: '2029-02-27' });
  });

  it('multiplies the unit by the interval', () => {
    const quarterly = board({ start: '2026-01-01', run: { unit: 'month', interval: 3 } });
    expect(runHolding(quarterly, '2026-06-30')).toEqual({ start: '2026-04-01', end: '2026-06-30' });
    const biennial = board({ start: '2026-01-01', run: { unit: 'year', interval: 2 } });
    expect(runHolding(biennial, '2029-12-31')).toEqual({ start: '2028-01-01', end: '2029-12-31' });
  });

  it('returns a run for the first and last dates of the board, and null outside them', () => {
    const dated = board({ end: '2026-03-10', run: { unit: 'month', interval: 1 } });
    expect(runHolding(dated, '2026-01-30')).toBeNull();
    expect(runHolding(dated, '2026-01-31')).toEqual({ start: '2026-01-31', end: '2026-02-27' });
    expect(runHolding(dated, '2026-03-10')).toEqual({ start: '2026-02-28', end: '2026-03-10' });
    expect(runHolding(dated, '2026-03-11')).toBeNull();
  });

  it('leaves the last run open if the next one would start after the year 9999', () => {
    for (const unit of ['day', 'month', 'year'] as const) {
      const endless = board({ run: { unit, interval: 1_000_000_000 } });
      expect(runHolding(endless, '9999-12-31')).toEqual({ start: '2026-01-31', end: null });
    }
    expect(runHolding(monthly, '9999-12-31')).toEqual({ start: '9999-12-31', end: null });
  });
});

describe('isFinal', () => {
  it('is true from 12 hours after the end in UTC, when the westernmost zone has left the run', () => {
    expect(isFinal('2026-03-10', at('2026-03-11T11:59:59.999Z'))).toBe(false);
    expect(isFinal('2026-03-10', at('2026-03-11T12:00:00Z'))).toBe(true);
  });

  it('is false for a run without an end', () => {
    expect(isFinal(null, at('9000-01-01T00:00:00Z'))).toBe(false);
  });
});

describe('statusOf', () => {
  const dated = board({ end: '2026-03-10' });

  it('returns scheduled before the start in UTC, then active', () => {
    expect(statusOf(dated, at('2026-01-30T23:59:59.999Z'))).toBe('scheduled');
    expect(statusOf(dated, at('2026-01-31T00:00:00Z'))).toBe('active');
  });

  it('returns finished once the last run is final', () => {
    expect(statusOf(dated, at('2026-03-11T11:59:59.999Z'))).toBe('active');
    expect(statusOf(dated, at('2026-03-11T12:00:00Z'))).toBe('finished');
  });
});

describe('currentRun', () => {
  const dated = board({ end: '2026-03-10', run: { unit: 'month', interval: 1 } });

  it('returns the run of the current UTC date', () => {
    expect(currentRun(dated, at('2026-02-27T23:59:59Z'))?.start).toBe('2026-01-31');
    expect(currentRun(dated, at('2026-02-28T00:00:00Z'))?.start).toBe('2026-02-28');
  });

  it('returns null before the start', () => {
    expect(currentRun(dated, at('2026-01-30T23:59:59Z'))).toBeNull();
  });

  it('returns the last run after the end, whether or not it is final', () => {
    expect(currentRun(dated, at('2026-03-11T00:00:00Z'))).toEqual(lastRun(dated));
    expect(currentRun(dated, at('2030-01-01T00:00:00Z'))).toEqual({ start: '2026-02-28', end: '2026-03-10' });
    expect(lastRun(monthly)).toBeNull();
  });
});

describe('runTurns', () => {
  const weekly = board({ start: '2026-03-02', end: '2026-03-20', run: { unit: 'day', interval: 7 } });
  const MARCH = at('2026-03-01T00:00:00Z');
  const turns = (kind: 'started' | 'ended', after: string, upTo: string, limit = 9) =>
    runTurns(weekly, kind, at(after), at(upTo), limit).map(({ run, at: when }) => [run, new Date(when).toISOString()]);

  it('starts each run once, at the beginning of its first date in UTC', () => {
    expect(turns('started', '2026-03-01T23:59:59Z', '2026-03-09T00:00:00Z')).toEqual([
      ['2026-03-02', '2026-03-02T00:00:00.000Z'],
      ['2026-03-09', '2026-03-09T00:00:00.000Z'],
    ]);
    expect(turns('started', '2026-03-02T00:00:00Z', '2026-03-08T23:59:59Z')).toEqual([]);
  });

  it("ends each run, including the board's last, when every zone has left its last date", () => {
    expect(turns('ended', '2026-03-02T00:00:00Z', '2026-03-09T11:59:59Z')).toEqual([]);
    const all = [
      ['2026-03-02', '2026-03-09T12:00:00.000Z'],
      ['2026-03-09', '2026-03-16T12:00:00.000Z'],
      ['2026-03-16', '2026-03-21T12:00:00.000Z'],
    ];
    expect(turns('ended', '2026-03-02T00:00:00Z', '2027-01-01T00:00:00Z')).toEqual(all);
    expect(turns('ended', '2026-03-02T00:00:00Z', '2027-01-01T00:00:00Z', 2)).toEqual(all.slice(0, 2));
    expect(turns('ended', '2026-03-09T12:00:00Z', '2026-03-21T12:00:00Z')).toEqual(all.slice(1));
    expect(turns('ended', '2026-03-21T12:00:00Z', '2027-01-01T00:00:00Z')).toEqual([]);
  });

  it('lists each daily run exactly once over successive hours', () => {
    const daily = board({ start: '2026-03-01', run: { unit: 'day', interval: 1 } });
    for (const kind of ['started', 'ended'] as const) {
      const hourly = Array.from({ length: 24 * 40 }, (_, hour) => MARCH + hour * 3_600_000);
      const runs = hourly.flatMap((hour) => runTurns(daily, kind, hour, hour + 3_600_000, 9)).map(({ run }) => run);
      expect(new Set(runs).size).toBe(runs.length);
      expect(runs.length).toBeGreaterThan(36);
      expect(runs).toEqual([...runs].sort());
    }
  });

  it('never ends a run that has no end date', () => {
    expect(runTurns(board(), 'ended', MARCH, at('2030-01-01T00:00:00Z'), 9)).toEqual([]);
    expect(runTurns(board({ start: '2026-04-01' }), 'started', MARCH, at('2030-01-01T00:00:00Z'), 9)).toHaveLength(1);
  });
});
