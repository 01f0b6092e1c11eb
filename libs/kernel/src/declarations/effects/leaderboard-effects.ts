import { effect } from './effect-kind.ts';

export const LEADERBOARD_EFFECTS = {
  /** The user's own value in a run changed; the rank may be the same. */
  RankChanged: effect({
    fields: {
      board: 'board',
      /** First day of the run. */
      run: 'day',
      at: 'instant',
      /** The place of its cause among the causes of the event: orders what happened at one position. */
      ordinal: 'count',
      /** Exact, directly before; null: not ranked. */
      previousRank: 'count or null',
      /** Exact, directly after; null: not ranked. */
      rank: 'count or null',
      /** How many users had a value above 0 in the run directly after; null: a release that did not count them stored it. */
      participants: 'count or null',
      /** null: the user had no value in this run. */
      previousValue: 'amount or null',
      value: 'amount',
      /** True for what fell due before the event: others saw it as happening directly before. */
      due: 'boolean',
    },
    // The table `rank_changes` holds it.
    stored: null,
    // Specification, sections 7.5 and 7.6: ranks directly before and after, and so their history, follow the order of the log, in which sweeps stand.
    stability: 'observed',
    words: ({ board, run, previousRank, rank, participants }, names) => {
      const name = names.run(board, run);
      const was = previousRank === null ? '' : `, was ${previousRank}`;
      if (rank === null) return `not ranked on ${name}${was}`;
      const place = `rank ${rank}${participants === null ? '' : ` of ${participants}`} on ${name}`;
      return previousRank === rank ? `${place}, as before` : `${place}${was}`;
    },
  }),
};
