import type { FieldsOf, OutcomeType } from '@laurel/kernel';
import { readJson, type OutcomeBody } from '@laurel/schemas';

/**
 * Removes every other user from an outcome.
 * @param id the user who may see the result
 * @param body of an outcome that belongs to the user or names them
 */
export function redactFor(id: string, body: string): object {
  const outcome = readJson(body) as OutcomeBody;
  const redact = (REDACTIONS as Readonly<Record<string, ((outcome: never, id: string) => object) | undefined>>)[
    outcome.type
  ];
  return redact === undefined ? outcome : redact(outcome as never, id);
}

type Naming = { readonly holds: 'rankings' | 'other user' };

/** The types with a field that names users other than the one concerned. */
type NamingType = {
  [Type in OutcomeType]: Extract<FieldsOf<Type>[keyof FieldsOf<Type>], Naming> extends never ? never : Type;
}[OutcomeType];

type Redactions = { readonly [Type in NamingType]: (outcome: OutcomeBody<Type>, id: string) => object };

const REDACTIONS: Redactions = {
  'leaderboard.started': ownRanking,
  'leaderboard.finished': ownRanking,
  'leaderboard.changed': ownRanking,
  'leaderboard.rank_lost': (outcome, id) => (outcome.user.id === id ? { ...outcome, by: null } : overtaken(outcome)),
};

function ownRanking(
  outcome: OutcomeBody<'leaderboard.started' | 'leaderboard.finished' | 'leaderboard.changed'>,
  id: string,
): object {
  const { leaderboard } = outcome;
  const rankings = leaderboard.rankings.filter(({ userId }) => userId === id);
  return { ...outcome, leaderboard: { ...leaderboard, rankings } };
}

/** Keeps where the user passed somebody, but not whom. */
function overtaken(outcome: OutcomeBody<'leaderboard.rank_lost'>): object {
  const { id, type, timestamp, sequence, by } = outcome;
  const { rank: _, value: __, ...run } = outcome.leaderboard;
  return { id, type, timestamp, sequence, leaderboard: run, by };
}
