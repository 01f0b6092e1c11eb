import { z } from 'zod';
import { count, date, jsonNumber, jsonWhole } from './fields.ts';
import { named } from './named-object.ts';

/** `GET /admin/v1/days`. Dates are those of each user’s own clock (specification, section 9.20). */
export const dayCounts = named('Days', 'What all users did, by date.', {
  days: z
    .array(
      named('DayCounts', 'What all users did on a date.', {
        date: date.meta({ description: 'The date on each user’s own clock.' }),
        events: count.meta({ description: 'Metric events of this date, of all configured metrics.' }),
        activeUsers: count.meta({
          description: 'Users with a metric event of this date, who had none of a later date before.',
        }),
        newUsers: count.meta({ description: 'Users who were created on this date.' }),
        metrics: z
          .record(
            z.string(),
            named('MetricOfDay', 'One metric on one date.', {
              events: count.meta({ description: 'Its events.' }),
              value: jsonNumber.meta({ description: 'The sum of their values.', examples: [42] }),
            }),
          )
          .meta({ description: 'Metrics by key; absent: the metric had no event on this date.' }),
        points: z
          .record(
            z.string(),
            named('PointsOfDay', 'One points system on one date.', {
              awarded: jsonWhole.meta({ description: 'Points given by awards.' }),
              consumed: jsonWhole.meta({ description: 'Points taken by negative awards, as a positive number.' }),
            }),
          )
          .meta({ description: 'Points systems by key; absent: nothing was awarded on this date.' }),
      }),
    )
    .meta({ description: 'Every requested date, oldest first.' }),
});
export type DaysAnswer = z.infer<typeof dayCounts>;
