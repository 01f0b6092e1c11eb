import { compared, named, type Conservation } from './comparison.ts';

/** A user's value in a run equals their last change in it; participants are the users with a value above 0. */
export const CONSERVATION_OF_LEADERBOARDS: readonly Conservation[] = [
  compared('leaderboards', 'board_standings', ['subject', 'board', 'run_start'], {
    what: `'the value on ' || ${named('boards', 'board')} || ' in the run of ' || run_start`,
    stored: `
      select subject, board, run_start, trim_scale(value) as value from board_standings where account = $1::text and value <> 0`,
    expected: `
      select * from (
        select distinct on (subject, board, run_start) subject, board, run_start, trim_scale(value) as value
        from rank_changes order by subject, board, run_start, position desc, ordinal desc
      ) last where value <> 0`,
  }),
  compared('leaderboards', 'board_run_counts', ['board', 'run_start'], {
    what: `'the number of participants on ' || ${named('boards', 'board')} || ' in the run of ' || run_start`,
    stored: `
      select board, run_start, sum(participants) as value from board_run_counts
      where account = $1::text group by board, run_start having sum(participants) <> 0`,
    expected: `
      select board, run_start, count(*) as value from board_standings
      where account = $1::text and value > 0 group by board, run_start`,
  }),
];
