import { z } from 'zod';
import { date, jsonNumber, jsonWhole } from './fields.ts';

const count = z.number().int().min(0);

/** `GET /admin/v1/days`. Dates are those of each user’s own clock (specification, section 9.20). */
export const dayCounts = z
  .object({
    days: z
      .array(
        z
          .object({
            date: date.meta({ description: 'The date on each user’s own clock.' }),
            events: count.meta({ description: 'Metric events of this date, of all configured metrics.' }),
            activeUsers: count.meta({
              description: 'Users with a metric event of this date, who had none of a later date before.',
            }),
            newUsers: count.meta({ description: 'Users who were created on this date.' }),
            metrics: z
              .record(
                z.string(),
                z
                  .object({
                    events: count.meta({ description: 'Its events.' }),
                    value: jsonNumber.meta({ description: 'The sum of their values.', examples: [42] }),
                  })
                  .meta({ id: 'MetricOfDay', description: 'One metric on one date.' }),
              )
              .meta({ description: 'Metrics by key; absent: the metric had no event on this date.' }),
            points: z
              .record(
                z.string(),
                z
                  .object({
                    awarded: jsonWhole.meta({ description: 'Points given by awards.' }),
                    consumed: jsonWhole.meta({ description: 'Points taken by negative awards, as a positive number.' }),
                  })
                  .meta({ id: 'PointsOfDay', description: 'One points system on one date.' }),
              )
              .meta({ description: 'Points systems by key; absent: nothing was awarded on this date.' }),
          })
          .meta({ id: 'DayCounts', description: 'What all users did on a date.' }),
      )
      .meta({ description: 'Every requested date, oldest first.' }),
  })
  .meta({ id: 'Days', description: 'What all users did, by date.' });
export type DaysAnswer = z.infer<typeof dayCounts>;
