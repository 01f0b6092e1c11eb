import { z } from 'zod';
import { date, instant, jsonNumber, jsonWhole } from './fields.ts';

const userState = z
  .object({
    tz: z.string().meta({ description: 'The user’s clock; `UTC` if none was given.' }),
    totals: z.record(z.string(), jsonNumber).meta({ description: 'Total by metric.' }),
    achievements: z
      .record(z.string(), instant)
      .meta({ description: 'When each achievement was completed, by its key.' }),
    points: z.record(z.string(), jsonWhole).meta({ description: 'Total by points system.' }),
    awards: z.record(z.string(), z.number().int()).meta({ description: 'Number of awards by points system.' }),
    lastAwards: z
      .record(z.string(), z.array(z.tuple([instant, jsonWhole, jsonWhole])))
      .meta({ description: 'The last three awards by points system, oldest first: instant, points, total after it.' }),
    streak: z
      .object({
        length: z.number().int().meta({ description: 'Length in periods; 0 if no streak is alive.' }),
        started: date.nullable().meta({ description: 'Null if none is alive.' }),
        longest: z.number().int().meta({ description: 'Length of the user’s longest streak.' }),
        periods: z.number().int().meta({ description: 'How many periods were met or bridged.' }),
        periodStart: date.nullable().meta({ description: 'First date of the current period.' }),
        periodEnd: date.nullable().meta({ description: 'Last date of the current period.' }),
        expires: date.nullable().meta({ description: 'The last date on which it can be extended.' }),
        history: z
          .record(z.string(), z.number().int())
          .meta({ description: 'Length as of each period met or bridged, by its first date.' }),
      })
      .meta({ id: 'StreakState', description: 'The streak, with its whole history.' }),
  })
  .meta({ id: 'UserState', description: 'The stored state of a user.' });

const rankedState = z
  .object({
    userId: z.string().meta({ description: 'The user.' }),
    rank: z.number().int().meta({ description: '1 is the top.' }),
    value: jsonNumber.meta({ description: 'The value that the user is ranked by.' }),
  })
  .meta({ id: 'RankedState', description: 'A row of a leaderboard.' });

/** `GET /admin/v1/state`. */
export const accountState = z
  .object({
    events: z.number().int().meta({ description: 'How many events were recorded.' }),
    asOf: instant.meta({ description: 'The instant that all values refer to.' }),
    users: z.record(z.string(), userState).meta({ description: 'Every user, by id.' }),
    leaderboards: z
      .record(z.string(), z.record(z.string(), z.array(rankedState)))
      .meta({ description: 'Rankings by leaderboard and first date of the run, best first.' }),
  })
  .meta({ id: 'AccountState', description: 'The read models of the whole account.' });
