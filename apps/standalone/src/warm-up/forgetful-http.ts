import { USER_AREAS } from '@laurel/all-areas';
import type { ConfigurationHistory, RecordedEvent } from '@laurel/kernel';
import type { Clock, Directory } from '@laurel/ports';
import { newSubject } from '@laurel/directory';
import { newEventId, type EventLog } from '@laurel/event-store';
import { EventCounts, IngestionModule, type IngestionPorts } from '@laurel/ingestion';
import { LeaderboardsArea } from '@laurel/leaderboards';
import { type BatchStore, Chain, Engine, UserEvents } from '@laurel/engine';
import { ANSWER_COMPOSERS } from '@laurel/queries';
import { createHttpApplication, createLogger, fullScopeKey, Health, type HttpApplication } from '@laurel/runtime';
import type { Service } from '../start-service.ts';

export interface ForgetfulHttp {
  readonly http: HttpApplication;
  close(): Promise<void>;
}

const NO_REQUESTS = { find: () => Promise.resolve(null) };

/**
 * The HTTP modules for events over a separate engine whose store keeps nothing: an event takes the usual path, and its
 * effects are gone after `close`. Shares only the compiled configuration with the service, and opens no port.
 */
export async function openForgetfulHttp(
  account: string,
  key: string,
  { engine: live, reads }: Pick<Service, 'engine' | 'reads'>,
  clock: Clock,
): Promise<ForgetfulHttp> {
  const history = live.historyOf(account);
  const engine = await openForgetfulEngine(account, history, clock);
  const logger = createLogger('silent');
  const http = await createHttpApplication({
    modules: [
      IngestionModule.register({
        intake: engine,
        corrections: null,
        requests: NO_REQUESTS,
        directory: FORGETFUL_DIRECTORY,
        erasures: NOBODY_TO_ERASE,
        clock,
        counts: new EventCounts(),
        configuration: () => history,
        users: reads.users,
        achievements: reads.achievements,
        ...ANSWER_COMPOSERS,
      }),
    ],
    keys: fullScopeKey(key, account),
    health: new Health(clock),
    logger,
    clock,
  });
  return {
    http,
    close: async () => {
      await http.close();
      await engine.close();
    },
  };
}

function openForgetfulEngine(account: string, history: ConfigurationHistory, clock: Clock): Promise<Engine> {
  const ignore = () => undefined;
  const boards = new LeaderboardsArea({ query: () => Promise.resolve([]) });
  return Engine.start(
    {
      store: FORGETFUL_STORE,
      log: logOf(account, history),
      chain: new Chain(USER_AREAS, boards, ignore),
      clock,
      userEvents: new UserEvents(() => Promise.resolve([]), NO_EVENTS),
      newEventId,
      originalDates: () => Promise.resolve([]),
      compileHistory: () => history,
      openRebuild: () => Promise.reject(new Error('there is nothing to rebuild')),
      onQueueState: ignore,
      onSweepFailure: ignore,
      onDamagedState: ignore,
    },
    [account],
  );
}

const NO_EVENTS = { readAt: () => Promise.resolve([]), correctionsOf: () => Promise.resolve([]) };

/** Every user is new, because nothing is kept. */
const FORGETFUL_DIRECTORY: Directory = {
  find: () => Promise.resolve(null),
  findAll: () => Promise.resolve(new Map()),
  assign: () => Promise.resolve(newSubject()),
  assignAll: (_, userIds) => Promise.resolve(new Map(userIds.map((userId) => [userId, newSubject()]))),
  forget: () => undefined,
  idsOf: () => Promise.resolve(new Map()),
  page: () => Promise.resolve([]),
  dataKeys: () => Promise.resolve(new Map()),
  attributeHashes: (_, attributes) => Promise.resolve([...attributes]),
};

const FORGETFUL_STORE: BatchStore = {
  loadDocuments: () => Promise.resolve(new Map()),
  findKeys: () => Promise.resolve([]),
  commitBatch: () => Promise.resolve(),
  isCommitted: () => Promise.resolve(true),
  markAllDue: () => Promise.resolve(),
  dueUsers: () => Promise.resolve([]),
  readCheckpoints: () => Promise.resolve({ head: 0, recordedAt: -Infinity, checkpoints: new Map() }),
  readInbox: () => Promise.resolve([]),
};

/** A log that contains only the configuration in force. */
function logOf(account: string, { current: { version } }: ConfigurationHistory): EventLog {
  const published: RecordedEvent = {
    eventId: '',
    account,
    position: 1,
    configurationVersion: version,
    occurredAt: 0,
    recordedAt: 0,
    fact: { type: 'ConfigurationPublished', version, document: null },
  };
  return {
    read: () => Promise.resolve([]),
    readAccountEvents: () => Promise.resolve([published]),
    findKeys: () => Promise.resolve([]),
    head: () => Promise.resolve(0),
  };
}

const NOBODY_TO_ERASE: IngestionPorts['erasures'] = {
  directory: FORGETFUL_DIRECTORY,
  importOpen: () => false,
  places: () => Promise.resolve([]),
};
