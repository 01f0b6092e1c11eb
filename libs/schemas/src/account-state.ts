import { z } from 'zod';
import { date, instant, jsonNumber, jsonWhole, whole } from './fields.ts';
import { named } from './named-object.ts';

const userState = named('UserState', 'The stored state of a user.', {
  tz: z.string().meta({ description: 'The user’s clock; `UTC` if none was given.' }),
  totals: z.record(z.string(), jsonNumber).meta({ description: 'Total by metric.' }),
  achievements: z.record(z.string(), instant).meta({ description: 'When each achievement was completed, by its key.' }),
  points: z.record(z.string(), jsonWhole).meta({ description: 'Total by points system.' }),
  awards: z.record(z.string(), whole).meta({ description: 'Number of awards by points system.' }),
  lastAwards: z
    .record(z.string(), z.array(z.tuple([instant, jsonWhole, jsonWhole])))
    .meta({ description: 'The last three awards by points system, oldest first: instant, points, total after it.' }),
  streak: named('StreakState', 'The streak, with its whole history.', {
    length: whole.meta({ description: 'Length in periods; 0 if no streak is alive.' }),
    started: date.nullable().meta({ description: 'Null if none is alive.' }),
    longest: whole.meta({ description: 'Length of the user’s longest streak.' }),
    periods: whole.meta({ description: 'How many periods were met or bridged.' }),
    periodStart: date.nullable().meta({ description: 'First date of the current period.' }),
    periodEnd: date.nullable().meta({ description: 'Last date of the current period.' }),
    expires: date.nullable().meta({ description: 'The last date on which it can be extended.' }),
    history: z
      .record(z.string(), whole)
      .meta({ description: 'Length as of each period met or bridged, by its first date.' }),
  }),
});

const rankedState = named('RankedState', 'A row of a leaderboard.', {
  userId: z.string().meta({ description: 'The user.' }),
  rank: whole.meta({ description: '1 is the top.' }),
  value: jsonNumber.meta({ description: 'The value that the user is ranked by.' }),
});

/** `GET /admin/v1/state`. */
export const accountState = named('AccountState', 'The read models of the whole account.', {
  events: whole.meta({ description: 'How many events were recorded.' }),
  asOf: instant.meta({ description: 'The instant that all values refer to.' }),
  users: z.record(z.string(), userState).meta({ description: 'Every user, by id.' }),
  leaderboards: z
    .record(z.string(), z.record(z.string(), z.array(rankedState)))
    .meta({ description: 'Rankings by leaderboard and first date of the run, best first.' }),
});
