import { formatDay, type LocalDate } from '@laurel/calendar';
import type { AreaTable, Effect, Row, Rows, Subject } from '@laurel/contracts';

/**
 * One row per period that was met or bridged, appended by the record that did it. Within a generation a user's last
 * period only moves on, so no two rows have one key.
 */
export const STREAK_PERIODS: AreaTable = { name: 'streak_periods', onConflict: '' };

export const STREAK_TABLES: readonly AreaTable[] = [STREAK_PERIODS];

/** A period that was met or bridged, and the streak's length as of it. */
export interface KeptPeriod {
  readonly start: LocalDate;
  readonly length: number;
  readonly usedFreeze: boolean;
}

interface Owner {
  readonly account: string;
  readonly subject: Subject;
  readonly generation: number;
}

/** The periods that effects say were met or bridged, in order of time. */
export const keptPeriods = (effects: readonly Effect[]): readonly KeptPeriod[] =>
  effects.flatMap((effect) => {
    switch (effect.type) {
      case 'StreakStarted':
      case 'StreakExtended':
      case 'PeriodSkipped':
      case 'FreezeUsed':
        return [{ start: formatDay(effect.period), length: effect.length, usedFreeze: effect.type === 'FreezeUsed' }];
      default:
        return [];
    }
  });

export function periodRows(owner: Owner, kept: readonly KeptPeriod[]): Rows {
  if (kept.length === 0) return new Map();
  return new Map([[STREAK_PERIODS.name, kept.map((period) => periodRow(owner, period))]]);
}

function periodRow({ account, subject, generation }: Owner, { start, length, usedFreeze }: KeptPeriod): Row {
  return { account, subject, generation, period_start: start, length, used_freeze: usedFreeze };
}
