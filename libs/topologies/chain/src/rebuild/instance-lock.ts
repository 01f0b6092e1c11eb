import { repeat, type Step } from '@laurel/ports';
import { StartError, clientConfig, SessionClient } from '@laurel/database';
import { endSession } from '@laurel/event-store';
import type pg from 'pg';
import { advisoryLockOf, type ProcessFrame, StepsDifferError } from '@laurel/processes';

type LockFrame = Pick<ProcessFrame, 'environment' | 'clock'>;
type LockedStep = Pick<Step, 'name'> & { readonly services: readonly { readonly name: string }[] };

export interface KeptLock {
  /** Runs after the lock was taken again. @throws StepsDifferError if the areas have been moved to other steps meanwhile */
  readonly check: () => Promise<void>;
  /** While the lock was lost, a job began or ended that must not run beside an instance: the instance must end. */
  readonly onRefused: (error: unknown) => void;
}

const LOOK_MS = 1_000;
const ANSWERED_WITHIN_MS = 5_000;

/**
 * Locks out the instances of a step, by an advisory lock for each of its services.
 * @param onLost the lock has gone with its connection, and an instance may start: the job must end
 * @returns what releases it. @throws StartError if an instance runs.
 */
export async function aloneLock(frame: LockFrame, step: LockedStep, onLost: () => void): Promise<() => Promise<void>> {
  const session = await openSession(frame, step, 'alone');
  let looking: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    if (!(await isOpen(session))) onLost();
  };
  const cancel = repeat(frame.clock, LOOK_MS, () => (looking = look()), onLost);
  return async () => {
    cancel();
    await looking;
    await endSession(session, frame.clock);
  };
}

/** What ends a job that instances must not run beside, once nothing keeps them away any more. */
export const endsWithoutLock =
  ({ logger }: Pick<ProcessFrame, 'logger'>) =>
  (): void => {
    logger.fatal('the lock that keeps instances away was lost with its connection; run this again');
    process.exit(1);
  };

/**
 * Shares the advisory lock of each service of a step while an instance of it runs. Postgres releases a lock with its connection: after a
 * lost one, it is taken again.
 * @returns what releases it. @throws StartError if a job locks the instances out.
 */
export async function instanceLock(
  frame: LockFrame,
  step: LockedStep,
  { check, onRefused }: KeptLock,
): Promise<() => Promise<void>> {
  let session: pg.Client | null = await openSession(frame, step, 'shared');
  let looking: Promise<void> = Promise.resolve();
  const renew = async (): Promise<void> => {
    if (session !== null && (await isOpen(session))) return;
    if (session !== null) await endSession(session, frame.clock);
    session = null;
    const taken = await openSession(frame, step, 'shared');
    try {
      await check();
      session = taken;
    } catch (error) {
      await endSession(taken, frame.clock);
      throw error;
    }
  };
  const cancel = repeat(
    frame.clock,
    LOOK_MS,
    () => (looking = renew()),
    (error) => {
      // Any other error: the database cannot be reached, and the instance cannot commit either.
      if (error instanceof StartError || error instanceof StepsDifferError) onRefused(error);
    },
  );
  return async () => {
    cancel();
    await looking.catch(() => undefined);
    if (session !== null) await endSession(session, frame.clock);
  };
}

async function isOpen(session: pg.Client): Promise<boolean> {
  try {
    await session.query('select 1');
    return true;
  } catch {
    return false;
  }
}

async function openSession(
  { environment, clock }: LockFrame,
  { name, services }: LockedStep,
  mode: 'shared' | 'alone',
): Promise<pg.Client> {
  const client = new SessionClient({
    ...clientConfig(environment.database),
    application_name: `laurel ${name}`,
    connectionTimeoutMillis: ANSWERED_WITHIN_MS,
    query_timeout: ANSWERED_WITHIN_MS,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await lock(client, services, mode);
    return client;
  } catch (error) {
    await endSession(client, clock);
    throw error;
  }
}

async function lock(client: pg.Client, services: LockedStep['services'], mode: 'shared' | 'alone'): Promise<void> {
  const take = mode === 'shared' ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';
  for (const service of services) {
    const number = advisoryLockOf(`instance of ${service.name}`);
    const { rows } = await client.query<{ locked: boolean }>(`select ${take}($1) as locked`, [number]);
    if (rows[0]?.locked) continue;
    throw new StartError(
      mode === 'shared'
        ? `the output of ${service.name} is being sent again, or its step moved; start it when that has ended`
        : `an instance of ${service.name} runs: stop all of them first`,
    );
  }
}
