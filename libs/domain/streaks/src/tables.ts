import { formatDay, type LocalDate } from '@laurel/calendar';
import type { AreaTable, Effect, Row, Subject } from '@laurel/kernel';
import { counterTable, effectsDigest, effectsTable } from '@laurel/ports';

/**
 * One row for each kept period, appended by the record that kept it. Within a generation, a user's last period only
 * increases. Only a period that used a freeze is written again, when it is excused.
 */
export const STREAK_PERIODS: AreaTable = {
  name: 'streak_periods',
  onConflict: `on conflict (subject, generation, period_start) do update
    set length = excluded.length, used_freeze = excluded.used_freeze, passed_over = excluded.passed_over`,
  merge: {
    keyOf: ({ subject, generation, period_start }) =>
      `${subject as number} ${generation as number} ${period_start as string}`,
    combine: (_earlier, later) => later,
  },
  replacedBy: ['subject', 'generation', 'period_start'],
  digest: ({ ofUsers }) => `
    select row($1::text, user_id, generation, period_start, length, used_freeze, passed_over)::text as value
    from streak_periods ${ofUsers}`,
};

/** The number of streaks of a generation that reached each length, and that ended at it. */
export const STREAK_LENGTH_COUNTS = counterTable({
  name: 'streak_length_counts',
  key: ['account', 'generation', 'length'],
  counts: ['reached', 'ended'],
});

export const STREAK_TABLES: readonly AreaTable[] = [
  effectsTable(effectsDigest('streaks')),
  STREAK_PERIODS,
  STREAK_LENGTH_COUNTS,
];

/** A period that did not end the streak, and the streak's length as of it. */
export interface KeptPeriod {
  readonly start: LocalDate;
  readonly length: number;
  readonly usedFreeze: boolean;
  /** Why the period did not have to be met; null if it was met or bridged by a freeze. */
  readonly passedOver: PassedOver | null;
}

/** Excused by hand, or skipped because the user's clock never showed it. */
export type PassedOver = 'excused' | 'skipped';

interface Owner {
  readonly account: string;
  readonly subject: Subject;
  readonly generation: number;
}

const PASSED_OVER_BY: { readonly [Type in Effect['type']]?: PassedOver } = {
  PeriodExcused: 'excused',
  PeriodSkipped: 'skipped',
};

/** The periods that these effects keep, in order of time. */
export function keptPeriods(effects: readonly Effect[]): readonly KeptPeriod[] {
  const kept: KeptPeriod[] = [];
  for (const effect of effects)
    switch (effect.type) {
      case 'StreakStarted':
      case 'StreakExtended':
      case 'PeriodSkipped':
      case 'PeriodExcused':
      case 'FreezeUsed':
        kept.push({
          start: formatDay(effect.period),
          length: effect.length,
          usedFreeze: effect.type === 'FreezeUsed',
          passedOver: PASSED_OVER_BY[effect.type] ?? null,
        });
        break;
      default:
    }
  return kept;
}

export const periodRows = (owner: Owner, kept: readonly KeptPeriod[]): readonly Row[] =>
  kept.map((period) => periodRow(owner, period));

function periodRow({ subject, generation }: Owner, { start, length, usedFreeze, passedOver }: KeptPeriod): Row {
  return { subject, generation, period_start: start, length, used_freeze: usedFreeze, passed_over: passedOver };
}

/** The changes that effects make to the counts of lengths. A revoked end does not count; reached lengths stay. */
export function lengthRows({ account, generation }: Omit<Owner, 'userId'>, effects: readonly Effect[]): readonly Row[] {
  const rows: Row[] = [];
  const add = (of: number, length: number, reached: number, ended: number) =>
    rows.push({ account, generation: of, length, partition: 0, reached, ended });
  for (const effect of effects)
    switch (effect.type) {
      case 'StreakStarted':
      case 'StreakExtended':
        add(generation, effect.length, 1, 0);
        break;
      case 'StreakRevived':
        add(generation, effect.length, 0, -1);
        break;
      case 'StreakRejoined':
        add(generation, effect.joined, 0, -1);
        break;
      case 'StreakEnded':
        add(effect.generation, effect.length, 0, 1);
        break;
      default:
    }
  return rows;
}
