import {
  isAwaited,
  occasionOf,
  perConfiguration,
  requireAreas,
  type ChainMessage,
  type Configuration,
  type Contribution,
  type Contributions,
} from '@laurel/kernel';
import { leaderboardsPlanOf, type BoardPlan } from './rules/board-plans.ts';
import { BOARDS_NEED, contributionsOf, type RunContribution } from './rules/contributions.ts';

/**
 * The contributions of a message by the partition of their boards, ascending. Partitions without contributions are left
 * out.
 * @throws Error if an area that the boards need has not applied the message
 */
export function contributionsByPartition(
  message: ChainMessage,
  configuration: Configuration,
  partitionOfBoard: (board: string) => number,
): ReadonlyMap<number, Contributions> {
  requireAreas({ name: 'leaderboards', needs: BOARDS_NEED }, message);
  const occasion = occasionOf(message.record, message.user, configuration);
  const changes = new Map<number, Contribution[]>();
  const withFinalRuns = new Set<number>();
  for (const contribution of contributionsOf(occasion, leaderboardsPlanOf(configuration), message.effects)) {
    const partition = partitionOfBoard(contribution.run.board.key);
    if (contribution.run.finalFrom <= occasion.recordedAt) withFinalRuns.add(partition);
    const there = changes.get(partition);
    if (there) there.push(toSend(contribution));
    else changes.set(partition, [toSend(contribution)]);
  }
  const { account, subject, position, eventId, user } = occasion;
  const answer = isAwaited(message) ? { eventId, day: user.day } : null;
  const shared = { account, configurationVersion: message.record.configurationVersion, subject, position, answer };
  const recordedAtIn = (partition: number) => (withFinalRuns.has(partition) ? occasion.recordedAt : null);
  return new Map(
    [...changes]
      .sort(([a], [b]) => a - b)
      .map(([partition, some]) => [partition, { ...shared, recordedAt: recordedAtIn(partition), changes: some }]),
  );
}

const toSend = ({ run, change, sets, at, ordinal, due }: RunContribution): Contribution => ({
  board: run.key.boardNumber,
  run: run.day,
  change,
  sets,
  at,
  ordinal,
  due,
});

/**
 * The contributions in the runs of a configuration. @throws RangeError if it has no such board, or the board has no
 * such run
 */
export function receivedContributions(
  { changes }: Contributions,
  configuration: Configuration,
): readonly RunContribution[] {
  const boards = boardsByNumber(configuration);
  return changes.map(({ board, run: first, change, sets, at, ordinal, due }) => {
    const run = boards.get(board)?.runOn(first) ?? null;
    if (run?.day !== first)
      throw new RangeError(`version ${configuration.version} has no run of board ${board} that begins on day ${first}`);
    return { run, change, sets, at, ordinal, due };
  });
}

const boardsByNumber = perConfiguration(
  (configuration): ReadonlyMap<number, BoardPlan> =>
    new Map(
      leaderboardsPlanOf(configuration).boards.map((board) => [configuration.names.boards.numberOf(board.key), board]),
    ),
);
