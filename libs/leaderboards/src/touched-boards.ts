import { occasionOf, type ChainMessage, type Configuration } from '@laurel/contracts';
import { leaderboardsPlanOf } from './rules/leaderboards-plan.ts';
import { contributionsOf } from './rules/leaderboards.ts';

/** The boards in which a message changes something, or would: those to whose owners it must go. */
export function touchedBoards(message: ChainMessage, configuration: Configuration): readonly string[] {
  const plan = leaderboardsPlanOf(configuration);
  const contributions = contributionsOf(occasionOf(message, configuration), plan, message.effects);
  return [...new Set(contributions.map(({ run }) => run.key.board))];
}
