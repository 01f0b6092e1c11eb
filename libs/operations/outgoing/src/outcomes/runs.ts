import type { LocalDate } from '@laurel/calendar';
import type { Configuration, LogRecord, OutcomeType, RunFact } from '@laurel/kernel';
import { onBoard, rankingFields } from './leaderboards.ts';
import type { Happening, Ranked } from './occurrence.ts';

/** A run that began or ended, as of its event. */
export interface RunStanding {
  /** The last date of the run; null: it is open. */
  readonly end: LocalDate | null;
  /** The first of the run, best first, at most {@link MOST_RANKINGS}. */
  readonly top: readonly Ranked[];
}

/** Rankings that `leaderboard.started` and `leaderboard.finished` have. */
export const MOST_RANKINGS = 100;

const TYPES = { LeaderboardRunStarted: 'leaderboard.started', LeaderboardRunEnded: 'leaderboard.finished' } as const;

export const isOfRun = (record: LogRecord): record is LogRecord<RunFact> => record.fact.type in TYPES;

export const runOutcomeType = ({ fact }: LogRecord<RunFact>): OutcomeType => TYPES[fact.type];

/** What is told of a run that began or ended: nothing, if the version of the event has no such board. */
export function happeningsOfRun(
  record: LogRecord<RunFact>,
  { leaderboardByKey }: Configuration,
  { end, top }: RunStanding,
): readonly Happening[] {
  const { fact, occurredAt: at } = record;
  const board = leaderboardByKey.get(fact.board);
  if (board === undefined) return [];
  const leaderboard = onBoard(board, { runStart: fact.run, runEnd: end, ...rankingFields(top) });
  const others = top.flatMap(({ subject, user }) => (user === null ? [] : [subject]));
  const type = runOutcomeType(record);
  return [{ type, subject: `${board.key} ${fact.run}`, at, due: at, fields: { leaderboard }, user: null, others }];
}
