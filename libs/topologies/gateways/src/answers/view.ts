import {
  StoreUnavailableError,
  type BoardOutcome,
  type Configuration,
  type ConfigurationHistory,
  type LeaderboardsAnswer,
  type AnswerParts,
  type StateReader,
  type ViewRequest,
} from '@laurel/kernel';
import { runKeyOf } from '@laurel/contributions';
import { viewedBoards } from '@laurel/leaderboards';
import type { AnyUserArea } from '@laurel/engine';
import type { BoardClient } from '@laurel/partitioned-boards';
import type { Viewed, ViewCall } from './answer-requests.ts';

export interface ViewDependencies {
  /** In the order of the chain. */
  readonly userAreas: readonly AnyUserArea[];
  readonly states: Pick<StateReader, 'read'>;
  readonly boards: Pick<BoardClient, 'standings'>;
  readonly configurations: (account: string) => ConfigurationHistory;
}

/**
 * The answer to a replayed request: the state of a user at an instant. Boards are pending if an owner does not answer within the limit, or
 * has not applied `boardsAfter`. @throws StoreUnavailableError; Error for a configuration version that is not known (yet)
 */
export async function view(dependencies: ViewDependencies, call: ViewCall): Promise<Viewed> {
  const { request, configurationVersion } = call;
  const configuration = dependencies.configurations(request.account).at(configurationVersion);
  const [sections, leaderboards] = await Promise.all([
    viewUser(dependencies, request, configuration),
    viewBoards(dependencies.boards, call, configuration),
  ]);
  if (leaderboards === null) return { sections, pending: ['leaderboards'] };
  return { sections: { ...sections, leaderboards }, pending: [] };
}

/** The answer to a replay, without boards. @throws StoreUnavailableError */
export async function viewUser(
  { userAreas, states }: Pick<ViewDependencies, 'userAreas' | 'states'>,
  request: ViewRequest,
  configuration: Configuration,
): Promise<AnswerParts> {
  const { account, subject } = request;
  const stored = await Promise.all(userAreas.map(({ name }) => states.read(account, subject, name)));
  return Object.fromEntries(
    userAreas.map((area, index) => {
      const json = stored[index] ?? null;
      const state = json === null ? area.initial() : area.decode(json);
      return [area.name, area.view(state, request, configuration)];
    }),
  );
}

async function viewBoards(
  boards: ViewDependencies['boards'],
  { request, limitMs, boardsAfter }: ViewCall,
  configuration: Configuration,
): Promise<LeaderboardsAnswer | null> {
  const viewed = viewedBoards(request, configuration);
  if (viewed.length === 0) return { boards: [] };
  const { subject } = request;
  const runs = viewed.map(({ board: { key, maxParticipants }, run }) => ({
    ...runKeyOf(configuration, key, run),
    maxParticipants,
  }));
  try {
    const standings = await boards.standings(runs, subject, limitMs, boardsAfter);
    return {
      boards: viewed.map(({ board, run }, place): BoardOutcome => {
        const { rank = null, threshold = 0n } = standings[place] ?? {};
        return { key: board.key, runStart: run.start, runEnd: run.end, previousRank: rank, rank, threshold };
      }),
    };
  } catch (error) {
    if (error instanceof StoreUnavailableError) return null;
    throw error;
  }
}
