import { formatInstant } from '@laurel/calendar';
import type { AreaTable, ConfiguredNames, Occasion, PointsAward, Row, Rows } from '@laurel/contracts';
import { POINT_DAY_COUNTS, dayRows } from './day-counts.ts';
import { POINTS_MONTHS } from './points-months.ts';
import { POINT_TOTAL_COUNTS, totalRows } from './total-counts.ts';

/** Awards are only appended: what was given is never changed. */
export const pointAwards: AreaTable = { name: 'point_awards', onConflict: '' };

/** `ordinal` keeps the order of one record's awards. */
export function awardRows(occasion: Occasion, awards: readonly PointsAward[], { systems }: ConfiguredNames): Rows {
  if (awards.length === 0) return new Map();
  const { account, subject } = occasion;
  const changes = awards.map(({ system, date, awarded }) => ({
    subject,
    number: systems.numberOf(system),
    date,
    change: String(awarded),
  }));
  return new Map([
    [pointAwards.name, awards.map((award, ordinal) => awardRow(occasion, award, ordinal))],
    [POINTS_MONTHS.table.name, POINTS_MONTHS.rows(changes)],
    [POINT_DAY_COUNTS.name, dayRows(account, awards)],
    [POINT_TOTAL_COUNTS.name, totalRows(account, awards)],
  ]);
}

function awardRow({ account, position, subject }: Occasion, award: PointsAward, ordinal: number): Row {
  return {
    account,
    subject,
    system: award.system,
    position,
    ordinal,
    id: award.id,
    trigger_id: award.triggerId,
    awarded: String(award.awarded),
    total: String(award.total),
    awarded_at: formatInstant(award.at),
    date: award.date,
  };
}
