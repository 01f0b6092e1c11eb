import type { AreaTable, Row, Rows } from '@laurel/contracts';
import type { KeptPeriod } from './rules/kept-period.ts';

/**
 * One row per period that was met or bridged, appended by the record that did it. Within a generation a user's last
 * period only moves on, so no two rows have one key.
 */
export const STREAK_PERIODS: AreaTable = { name: 'streak_periods', onConflict: '' };

export const STREAK_TABLES: readonly AreaTable[] = [STREAK_PERIODS];

interface Owner {
  readonly account: string;
  readonly userId: string;
  readonly generation: number;
}

export function periodRows(owner: Owner, kept: readonly KeptPeriod[]): Rows {
  if (kept.length === 0) return new Map();
  return new Map([[STREAK_PERIODS.name, kept.map((period) => periodRow(owner, period))]]);
}

function periodRow({ account, userId, generation }: Owner, { start, length, usedFreeze }: KeptPeriod): Row {
  return { account, user_id: userId, generation, period_start: start, length, used_freeze: usedFreeze };
}
