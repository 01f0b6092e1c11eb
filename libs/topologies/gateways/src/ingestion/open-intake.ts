import { USER_AREAS } from '@laurel/all-areas';
import { partitionOf } from '@laurel/event-stream';
import type { AreaName } from '@laurel/kernel';
import { type ProcessFrame, REFRESH_CONFIGURATIONS, schemaOf } from '@laurel/processes';
import { lastingFailure } from '@laurel/runtime';
import { storedAnswers } from '@laurel/stored-effects';
import { AnswerClient, PostgresAppliedPositions, viewUser, waitUntilApplied } from '../answers/index.ts';
import type { ChainWatch } from '../operations/chain-watch.ts';
import { watchChain } from '../operations/watch-chain.ts';
import { appliedOutcomes, type AppliedOutcomesDependencies } from './applied-outcomes.ts';
import { decideCommands } from './decide-commands.ts';
import { GatewayIntake, type GatewayIntakeDependencies } from './gateway-intake.ts';
import { GatewayPublisher } from './gateway-publisher.ts';
import type { IngestionStores } from './open-ingestion-stores.ts';
import { OwedAwards } from './owed-awards.ts';
import { ReceiptBacklog } from './receipt-backlog.ts';
import { viewReplay, type ReplayViewOptions } from './replay-view.ts';

export type OpenIntake = ReturnType<typeof openIntake>;

/** Records events and configurations, and watches how far the services apply them. */
export function openIntake(frame: ProcessFrame, stores: IngestionStores) {
  const { environment, clock, logger } = frame;
  const { answerLimitMs } = environment;
  const { schema, store, configurations, imports, peers } = stores;
  const watch = watchChain(frame, { sql: schema.sql, head: () => store.head() });
  const onFailure = lastingFailure(logger, clock, 'could not read the checkpoints of the services; retrying');
  const appliedPosition = () => watch.appliedPosition();
  const backlog = new ReceiptBacklog({ clock, appliedPosition, limitMs: answerLimitMs, onFailure });
  const { dataSource } = schema;
  const announce = () => peers.announce(REFRESH_CONFIGURATIONS);
  const publisher = new GatewayPublisher({ store, configurations, dataSource, clock, announce });
  const intake = new GatewayIntake({
    store,
    logHead: () => store.head(),
    configurations,
    ...readResults(frame, stores, onFailure),
    imports,
    decide: decideOn(stores, watch, frame),
    backlog,
    pendingNow: async (limitMs) => watch.pendingAt(await store.head(), limitMs),
    clock,
    answerLimitMs,
    onRecorded: (account) => publisher.sawEvent(account),
    onFenced: () => {
      logger.fatal('a standalone service has taken over the event log; this gateway may not write to it any more');
      process.exit(1);
    },
  });
  return { intake, publisher, backlog, watch };
}

function decideOn(
  stores: IngestionStores,
  watch: ChainWatch,
  { clock }: ProcessFrame,
): GatewayIntakeDependencies['decide'] {
  const { store, imports, configurations, reads } = stores;
  const { users, points } = reads;
  const configuration = (account: string) => configurations.historyOf(account).current;
  const awards = new OwedAwards({ userAreas: USER_AREAS, users, configuration, clock });
  return (commands) => decideCommands(commands, { users, points, store, imports, watch, awards, clock });
}

/** The results of recorded events: from the query gateways, or from the tables of the services. */
function readResults(
  { environment: { partitions, answerLimitMs }, clock, logger }: ProcessFrame,
  { schema, readers, reads, configurations, peers }: IngestionStores,
  onFailure: (error: unknown) => void,
): Pick<GatewayIntakeDependencies, 'answers' | 'appliedOutcomes' | 'viewReplay'> {
  const unanswered = lastingFailure(logger, clock, 'no query gateway answered in time: answers to events are pending');
  const answers = new AnswerClient(peers.calls, partitions, clock, unanswered);
  const positions = new PostgresAppliedPositions(schema.statements);
  const { states, users } = reads;
  const sqlOf = (area: AreaName) => readers.reader(schemaOf(area));
  const stored = { sqlOf, states, configurations: configurations.historyOf };
  const outcomes: AppliedOutcomesDependencies = {
    positions,
    partitionOf: ({ account, fact: { subject } }) => partitionOf(account, subject, partitions),
    storedAnswers: (account, applied) => storedAnswers(stored, account, applied),
    clock,
    onFailure,
  };
  const replays: ReplayViewOptions = {
    answers,
    viewUser: (request, current) => viewUser({ userAreas: USER_AREAS, states }, request, current),
    applied: ({ account, subject, position }, limitMs) => {
      const place = { partition: partitionOf(account, subject, partitions), position };
      return waitUntilApplied({ applied: positions, clock, onFailure }, place, limitMs);
    },
    users,
    clock,
    answerLimitMs,
  };
  return {
    answers,
    appliedOutcomes: (records, limitMs) => appliedOutcomes(outcomes, records, limitMs),
    viewReplay: (command, original, current) => viewReplay(replays, command, original, current),
  };
}
