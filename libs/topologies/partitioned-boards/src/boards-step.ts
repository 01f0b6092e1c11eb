import { type ChainBoards, keepInstanceLock, logServiceEvents, type ReplayableStep, toCallers } from '@laurel/chain';
import { ChainService, chainServiceMigrations, PostgresPartitionStore } from '@laurel/engine';
import { serviceOf, stepOf } from '@laurel/ports';
import { LEADERBOARDS_STATE_VERSION, leaderboardTables, leaderboardsMigrations } from '@laurel/leaderboards';
import {
  addressOf,
  assertVersions,
  followIngestionReads,
  keepClaims,
  openPlace,
  PartitionOwners,
  partitionOwnersMigrations,
  type ProcessFrame,
  serveCalls,
} from '@laurel/processes';
import { lastingFailure } from '@laurel/runtime';
import { boardHandlers } from './calls/index.ts';
import { deleteNotifiedRegularly } from './notified-tops.ts';
import { OwnedBoards } from './owned-boards.ts';

const SERVICE = serviceOf('leaderboards');

/** The parts of the step, for running or replaying it. */
export const BOARDS_STEP: ReplayableStep = {
  ...stepOf([SERVICE]),
  output: null,
  next: null,
  schemas: [
    {
      name: SERVICE.schema,
      stateVersions: new Map([['leaderboards', LEADERBOARDS_STATE_VERSION]]),
      tables: new Map([['leaderboards', leaderboardTables]]),
      states: new Map(),
      migrations: [...chainServiceMigrations([]), ...partitionOwnersMigrations, ...leaderboardsMigrations],
    },
  ],
  routes: toCallers,
  storeIn: ({ opened: [{ statements }] }) =>
    new PostgresPartitionStore(statements, [{ name: null, columns: [], tables: leaderboardTables }]),
  openProjection: ({ opened: [{ sql }] }, partition, partitions) =>
    new OwnedBoards(sql, partitions).openProjection(partition),
};

/** Runs the step of the leaderboards. Each board has one owner, which also answers requests for its ranks. */
export async function startBoardsStep(frame: ProcessFrame): Promise<ChainService> {
  const { environment, shutdown, stream, clock, logger } = frame;
  const { partitions } = environment;
  await keepInstanceLock(frame, BOARDS_STEP);
  const place = await openPlace(environment.database, BOARDS_STEP);
  shutdown.register('database of the boards', () => place.close());
  await assertVersions(place, BOARDS_STEP);
  const [schema] = place.opened;
  const store = BOARDS_STEP.storeIn(place);
  const boards = new OwnedBoards(schema.sql, partitions);
  const running: { service: ChainService | null } = { service: null };
  const receivedFrom = async (source: number, partition: number): Promise<number> => {
    const checkpoint = running.service?.checkpointOf(partition) ?? (await store.read(partition));
    return checkpoint.received.get(source) ?? 0;
  };
  const calls = await serveCalls(
    frame,
    boardHandlers((partition) => {
      const owned = boards.find(partition);
      return owned && { ...owned, received: (source) => receivedFrom(source, partition) };
    }, clock),
  );
  shutdown.register('calls', () => calls.close());
  const address = addressOf({ host: environment.advertisedHost, port: calls.port });
  const owners = new PartitionOwners(schema.sql, SERVICE.input);
  const service = await ChainService.start({
    group: `laurel.${BOARDS_STEP.name}`,
    input: { topic: SERVICE.input, partitions },
    stream,
    store,
    openProjection: (partition) => boards.openProjection(partition),
    routes: BOARDS_STEP.routes(partitions),
    ...(await followIngestionReads(frame, BOARDS_STEP)),
    clock,
    onAssigned: async (assigned) => {
      boards.own(assigned);
      await owners.claim(assigned, address);
    },
    onForgotten: (partition) => boards.forget(partition),
    onEvent: logServiceEvents(frame),
  });
  running.service = service;
  keepClaims(frame, owners, () => service.assigned, address);
  const onFailure = lastingFailure(logger, clock, 'could not delete what was told of boards; it is tried again');
  shutdown.register('what was told of boards', deleteNotifiedRegularly(schema.sql, clock, onFailure));
  return service;
}

export const BOARDS: ChainBoards = { step: BOARDS_STEP, start: startBoardsStep };
