import { createSuggest, type Suggest } from './near-name.ts';
import { type Problem, type ProblemCode, problemOf } from './problem.ts';

const LONGEST_SHOWN = 64;

const WHAT = {
  unknown_metric: 'metric',
  unknown_achievement: 'achievement',
  unknown_points_system: 'points system',
  unknown_level: 'level',
  unknown_leaderboard: 'leaderboard',
} as const satisfies Partial<Record<ProblemCode, string>>;

/**
 * The answer 404 for an unknown key of the configuration. Names the key, and the nearest of `known`: the keys of the caller's own account,
 * so that nobody learns the keys of another account.
 */
export function unknownThing(
  code: keyof typeof WHAT,
  key: string,
  known: Iterable<string>,
  suggest: Suggest = createSuggest(),
): Problem {
  const characters = [...key];
  const shown = characters.length > LONGEST_SHOWN ? `${characters.slice(0, LONGEST_SHOWN).join('')}…` : key;
  return problemOf(code, `There is no ${WHAT[code]} '${shown}'${suggest(key, known)}.`);
}
