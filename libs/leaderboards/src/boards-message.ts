import { effectsOf, occasionOf, type ChainMessage, type Configuration, type Occasion } from '@laurel/contracts';
import { leaderboardsPlanOf, type LeaderboardsPlan } from './rules/leaderboards-plan.ts';
import { contributionsOf, type RunContribution } from './rules/leaderboards.ts';

/** A message as the boards apply it. */
export interface BoardsMessage {
  readonly occasion: Occasion;
  readonly plan: LeaderboardsPlan;
  readonly contributions: readonly RunContribution[];
}

/** @throws Error if a section is absent: the boards would count something else than was recorded. */
export function readMessage(message: ChainMessage, configuration: Configuration): BoardsMessage {
  for (const section of COUNTED)
    if (message[section] === undefined) throw new Error(`leaderboards need the section ${section}`);
  const plan = leaderboardsPlanOf(configuration);
  const occasion = occasionOf(message, configuration);
  return { occasion, plan, contributions: contributionsOf(occasion, plan, effectsOf(message)) };
}

const COUNTED = ['users', 'streaks', 'points'] as const;

/** The boards in which a message changes something, or would: those to whose owners it must go. */
export const touchedBoards = (message: ChainMessage, configuration: Configuration): readonly string[] => [
  ...new Set(readMessage(message, configuration).contributions.map(({ run }) => run.key.board)),
];
