import { effect } from './effect-kind.ts';

export const LEADERBOARD_EFFECTS = {
  /** The user's own value in a run changed; the rank may be the same. */
  RankChanged: effect({
    fields: {
      board: 'board',
      /** First day of the run. */
      run: 'day',
      at: 'instant',
      /** The index of its cause among the causes of the event; it orders the changes at one position. */
      ordinal: 'count',
      /** Exact, directly before; null if not ranked. */
      previousRank: 'count or null',
      /** Exact, directly after; null if not ranked. */
      rank: 'count or null',
      /** How many users had a value above 0 in the run directly after; null if an earlier release stored the effect. */
      participants: 'count or null',
      /** null if the user had no value in this run. */
      previousValue: 'amount or null',
      value: 'amount',
      /** True if it fell due before the event: to other users it happened directly before the event. */
      due: 'boolean',
    },
    // Stored in the table `rank_changes`.
    stored: null,
    // Specification, sections 7.5 and 7.6: ranks and their history follow the order of the log, which includes sweeps.
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
