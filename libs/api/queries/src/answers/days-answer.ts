import { addDays, type DateRange, type LocalDate } from '@laurel/calendar';
import { groupBy } from '@laurel/kernel';
import type { MetricDayCounts, PointsDayCounts, UserDayCounts } from '@laurel/ports';
import { jsonAmount, jsonInteger, type DaysAnswer } from '@laurel/schemas';

/** Counts by day; days without any count are missing. */
export interface CountsOfDays {
  readonly users: readonly UserDayCounts[];
  readonly metrics: readonly MetricDayCounts[];
  readonly points: readonly PointsDayCounts[];
}

/** The counts of every date in the range. */
export function daysAnswer({ from, to }: DateRange, { users, metrics, points }: CountsOfDays): DaysAnswer {
  const usersOf = new Map(users.map((day) => [day.date, day]));
  const metricsOf = groupBy(metrics, ({ date }) => date);
  const pointsOf = groupBy(points, ({ date }) => date);
  const days: DaysAnswer['days'] = [];
  for (let date: LocalDate = from; date <= to; date = addDays(date, 1)) {
    const ofMetrics = metricsOf.get(date) ?? [];
    const { activeUsers = 0, newUsers = 0 } = usersOf.get(date) ?? {};
    days.push({
      date,
      events: ofMetrics.reduce((sum, { events }) => sum + events, 0),
      activeUsers,
      newUsers,
      metrics: Object.fromEntries(
        ofMetrics.map(({ metric, events, total }) => [metric, { events, value: jsonAmount(total) }]),
      ),
      points: Object.fromEntries(
        (pointsOf.get(date) ?? []).map(({ system, awarded, consumed }) => [
          system,
          { awarded: jsonInteger(awarded), consumed: jsonInteger(consumed) },
        ]),
      ),
    });
  }
  return { days };
}
