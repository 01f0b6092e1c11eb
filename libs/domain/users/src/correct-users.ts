import { add } from '@laurel/amounts';
import { dayAt } from '@laurel/calendar';
import { EFFECT_COLUMNS, differenceOf, type AreaCorrection, type CorrectedRows } from '@laurel/kernel';
import { EFFECTS_TABLE, effectsRow } from '@laurel/ports';
import { METRIC_DAY_COUNTS, USER_DAY_COUNTS } from './day-counts.ts';
import { METRIC_MONTHS } from './metric-months.ts';
import type { UsersState } from './rules/users.ts';
import type { UsersPlan } from './rules/users-plan.ts';
import { USER_ZONES } from './tables.ts';

/**
 * Counters that a correction may change. The number of users is not among them, because the user is known before and
 * after.
 */
const COUNTS = [METRIC_MONTHS.table, METRIC_DAY_COUNTS, USER_DAY_COUNTS];

/** Sums the changes of each day, and emits the clock to use from now on. The recorded clock of past events stays. */
export function correctUsers(correction: AreaCorrection<UsersState> & { readonly plan: UsersPlan }): CorrectedRows {
  const { before, after, taken, given, occasion, configuration, emitter: out, plan } = correction;
  const { user } = occasion;
  user.createdAt = after.createdAt ?? occasion.occurredAt;
  if (after.createdAt === null) {
    after.wasKnown = true;
    after.updatedAt = occasion.occurredAt;
  }
  user.previousZone = before.profile.tz ?? 'UTC';
  user.zone = after.profile.tz ?? 'UTC';
  user.day = dayAt(occasion.occurredAt, user.zone);
  const { added, removed } = differenceOf(COUNTS, taken, given);
  const rows = new Map(added);
  if (user.zone !== user.previousZone) {
    out.emit({ type: 'ZoneChanged', from: user.previousZone, to: user.zone });
    const { subject, position } = occasion;
    rows.set(USER_ZONES.name, [{ subject, position, zone: user.zone }]);
  }
  const totals = new Map(plan.metrics.map((metric, place) => [metric, before.totals[place] ?? 0]));
  for (const [metric, total] of before.otherTotals) totals.set(metric, total);
  for (const { number, day, change } of METRIC_MONTHS.changesIn(rows.get(METRIC_MONTHS.table.name) ?? [])) {
    const metric = configuration.names.metrics.nameOf(number);
    const total = add(totals.get(metric) ?? 0, change);
    totals.set(metric, total);
    out.emit({ type: 'MetricTotalChanged', metric, change, total, day });
  }
  const users = EFFECT_COLUMNS.users.encode(out.effects, occasion, configuration.names);
  rows.set(EFFECTS_TABLE, [effectsRow(occasion, users === null ? {} : { users })]);
  return { added: rows, removed };
}
