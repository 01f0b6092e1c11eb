import type { SqlReader } from '@laurel/kernel';
import { TOPICS } from '@laurel/ports';
import { CallError, InternalClients } from '../internal-calls/index.ts';
import type { ProcessFrame } from '../process/run-process.ts';
import type { SchemaReaders } from '../schemas/read-schemas.ts';
import { SCHEMAS } from '../schemas/schemas.ts';
import { OwnerCalls } from './owner-calls.ts';
import { OwnerDirectory } from './owner-directory.ts';

/** Makes a gateway read new configurations. */
export const REFRESH_CONFIGURATIONS = 'configurations.refresh';

/** Makes a gateway read new erasures. */
export const REFRESH_ERASURES = 'erasures.refresh';

/** Gateways that are not reached in time refresh by polling. */
const ANNOUNCE_LIMIT_MS = 1_000;

/** Clients of other processes, and the addresses of those, for as long as this process runs. */
export function openClients({ environment, clock, shutdown }: ProcessFrame, sql: SqlReader) {
  const clients = new InternalClients({ token: environment.internalToken, clock });
  shutdown.register('calls', () => clients.close());
  return { clients, owners: new OwnerDirectory(sql, clock) };
}

/** Calls to the processes that own a partition, for as long as this process runs. */
export function openCalls(frame: ProcessFrame, readers: SchemaReaders) {
  const { clock, logger } = frame;
  const { clients, owners } = openClients(frame, readers.reader(SCHEMAS.query));
  const onFailure = (name: string, address: string | null, err: unknown) => {
    const refused = err instanceof CallError && err.failure === 'refused';
    if (refused)
      logger.warn({ name, address }, 'another process refuses the internal token: LAUREL_INTERNAL_TOKEN differs');
    else logger.debug({ name, address, err }, 'another process could not be asked');
  };
  /** Tells the query gateways to read configurations or erasures now. Never rejects. */
  const announce = async (call: typeof REFRESH_CONFIGURATIONS | typeof REFRESH_ERASURES): Promise<void> => {
    const addresses = await owners.addressesOf(TOPICS.effects).catch(() => []);
    await Promise.allSettled(addresses.map((address) => clients.call(address, call, null, ANNOUNCE_LIMIT_MS)));
  };
  return { calls: new OwnerCalls({ owners, clients, clock, onFailure }), announce };
}
