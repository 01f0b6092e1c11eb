import { UNITS, ZERO } from '@laurel/amounts';
import { localDate, type Instant, type LocalDate } from '@laurel/calendar';
import type { BoardRun, ChainMessage, Configuration, LeaderboardDefinition, Sections } from '@laurel/contracts';
import { runHolding } from './runs.ts';
import type { Change } from './standing.ts';

/** What a record changes in one run of one board. */
export interface Contribution {
  readonly board: LeaderboardDefinition;
  readonly run: BoardRun;
  readonly change: Change;
  readonly at: Instant;
  /**
   * The place of its cause within the record: of an award among the awards, of a streak change among the changes; in a sweep
   * behind those of the users before.
   */
  readonly ordinal: number;
  /**
   * True for what was due before the record and is only given along with it: a time award, the end of a streak. Others
   * see it as happening directly before the record.
   */
  readonly due: boolean;
}

/** More than one record causes for one user in a sweep. */
const CAUSES_PER_USER = 10_000;

type Cause = Omit<Contribution, 'board' | 'run'> & { readonly date: LocalDate };

/**
 * Everything that a message changes, in configuration order of the boards, within one board in order of recording
 * (specification, section 7). Boards and points systems that the message's version does not hold count nothing; so do
 * dates outside of a board's start and end. @throws Error if a section that it needs is absent.
 */
export function contributionsOf(message: ChainMessage, configuration: Configuration): readonly Contribution[] {
  const contributions: Contribution[] = [];
  const { fact } = message.record;
  const base = fact.type === 'UserSwept' ? fact.place * CAUSES_PER_USER : 0;
  for (const board of configuration.leaderboards) {
    for (const { date, ...cause } of causesFor(board, message)) {
      const run = runHolding(board, date);
      if (run !== null) contributions.push({ board, run, ...cause, ordinal: base + cause.ordinal });
    }
  }
  return contributions;
}

function causesFor({ rankBy }: LeaderboardDefinition, message: ChainMessage): readonly Cause[] {
  switch (rankBy.type) {
    case 'metric':
      return metricCauses(rankBy.metric.key, message);
    case 'points':
      return pointsCauses(rankBy.pointsSystem.key, message);
    case 'streak':
      return streakCauses(message);
  }
}

function metricCauses(metric: string, message: ChainMessage): readonly Cause[] {
  const { fact, occurredAt } = message.record;
  if (fact.type !== 'MetricEventRecorded' || fact.metric !== metric || fact.value === ZERO) return [];
  const { date } = sectionOf(message, 'users');
  return [{ change: { type: 'add', amount: fact.value }, at: occurredAt, date, ordinal: 0, due: false }];
}

function pointsCauses(system: string, message: ChainMessage): readonly Cause[] {
  const causes: Cause[] = [];
  for (const [ordinal, award] of sectionOf(message, 'points').awards.entries()) {
    if (award.system !== system) continue;
    const { at, date, due } = award;
    causes.push({ change: { type: 'add', amount: award.awarded * UNITS }, at, date, ordinal, due });
  }
  return causes;
}

/**
 * An end dates at its own instant, on the clock that was then in force; a length that was reached at the record's instant,
 * which for a late import is not the instant that counts for the streak itself.
 */
function streakCauses(message: ChainMessage): readonly Cause[] {
  const { changes } = sectionOf(message, 'streaks');
  if (changes.length === 0) return [];
  const { date, previousZone } = sectionOf(message, 'users');
  return changes.map(({ at, length }, ordinal) => {
    const change: Change = { type: 'set', value: BigInt(length) * UNITS };
    if (length === 0) return { change, at, date: localDate(at, previousZone), ordinal, due: true };
    return { change, at: message.record.occurredAt, date, ordinal, due: false };
  });
}

/** @throws Error if the areas before have not added it: the boards would count something else than was recorded. */
export function sectionOf<Name extends keyof Sections>(sections: Sections, name: Name): NonNullable<Sections[Name]> {
  const section = sections[name];
  if (section === undefined || section === null) throw new Error(`leaderboards need the section ${name}`);
  return section as NonNullable<Sections[Name]>;
}

/** The boards in which a message changes something, or would: those to whose owners it must go. */
export const touchedBoards = (message: ChainMessage, configuration: Configuration): readonly string[] => [
  ...new Set(contributionsOf(message, configuration).map(({ board }) => board.key)),
];
