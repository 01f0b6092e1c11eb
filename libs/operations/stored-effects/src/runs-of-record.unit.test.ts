import { formatDay } from '@laurel/calendar';
import type { Effect } from '@laurel/kernel';
import { daysOf } from './runs-of-record.ts';

const record = (at: string) => ({ occurredAt: Date.parse(at), fact: { type: 'MetricEventRecorded' } });

const dates = (days: Iterable<number>): readonly string[] => [...days].map((day) => formatDay(day)).sort();

describe('daysOf', () => {
  it("includes the day on which a streak ended, in the user's zone before the event", () => {
    // Midnight in Niue, eleven hours behind UTC, is 01:00 of the next day on Kiritimati.
    const endedAt = Date.parse('2026-03-10T11:00:00Z');
    const effects: readonly Effect[] = [
      { type: 'StreakEnded', at: endedAt, length: 4, generation: 0 },
      { type: 'ZoneChanged', from: 'Pacific/Niue', to: 'Pacific/Kiritimati' },
    ];
    expect(dates(daysOf(record('2026-03-12T15:00:00Z'), 'Pacific/Kiritimati', effects))).toEqual([
      '2026-03-10',
      '2026-03-13',
    ]);
    expect(dates(daysOf(record('2026-03-12T15:00:00Z'), 'Pacific/Kiritimati', effects.slice(0, 1)))).toEqual([
      '2026-03-11',
      '2026-03-13',
    ]);
  });
});
