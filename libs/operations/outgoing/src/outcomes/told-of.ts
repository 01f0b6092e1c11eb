import { readJson, type OutcomeBody } from '@laurel/schemas';

/**
 * What an outcome tells of one user, whom it belongs to or names: the rest of it, without any other user.
 * @param id of the user
 * @param body that belongs to the user or names them
 */
export function toldOf(id: string, body: string): object {
  const told = readJson(body) as OutcomeBody;
  switch (told.type) {
    case 'leaderboard.started':
    case 'leaderboard.finished':
    case 'leaderboard.changed': {
      const { leaderboard } = told;
      return { ...told, leaderboard: { ...leaderboard, rankings: leaderboard.rankings.filter(isOf(id)) } };
    }
    case 'leaderboard.rank_lost':
      return told.user.id === id ? { ...told, by: null } : overtaken(told);
    default:
      return told;
  }
}

const isOf =
  (id: string) =>
  ({ userId }: { readonly userId: string }): boolean =>
    userId === id;

/** The user passed somebody: where, but not whom. */
function overtaken({ leaderboard, ...told }: OutcomeBody<'leaderboard.rank_lost'>) {
  const { id, type, timestamp, sequence, by } = told;
  const { rank: _, value: __, ...run } = leaderboard;
  return { id, type, timestamp, sequence, leaderboard: run, by };
}
