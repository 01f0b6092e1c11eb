import { repeat, type ChainStep } from '@laurel/ports';
import { StartError, openSession } from '@laurel/database';
import { endSession } from '@laurel/event-store';
import type pg from 'pg';
import { advisoryLockOf, type ProcessFrame, StepsDifferError } from '@laurel/processes';

type LockFrame = Pick<ProcessFrame, 'environment' | 'clock'>;
type LockedStep = Pick<ChainStep, 'name'> & { readonly services: readonly { readonly name: string }[] };

export interface KeptLock {
  /** Called after the lock was taken again. @throws StepsDifferError if the areas have been moved to other steps meanwhile */
  readonly check: () => Promise<void>;
  /** Called if a job that excludes instances began or ended while the lock was lost: the instance must end. */
  readonly onRefused: (error: unknown) => void;
}

const LOOK_MS = 1_000;
const ANSWERED_WITHIN_MS = 5_000;

/**
 * Excludes the instances of a step, by an advisory lock for each of its services.
 * @param onLost called if the lock is lost with its connection: an instance may start, so the job must end
 * @returns a function that releases it. @throws StartError if an instance runs
 */
export async function aloneLock(frame: LockFrame, step: LockedStep, onLost: () => void): Promise<() => Promise<void>> {
  const session = await openLockedSession(frame, step, 'alone');
  let looking: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    if (!(await isOpen(session))) onLost();
  };
  const cancel = repeat(frame.clock, LOOK_MS, () => (looking = look()), onLost);
  return async () => {
    cancel();
    await looking;
    await release(session, frame.clock);
  };
}

/** Ends a job that excludes instances, after it has lost its lock. */
export const endsWithoutLock =
  ({ logger }: Pick<ProcessFrame, 'logger'>) =>
  (): void => {
    logger.fatal('the connection that keeps instances from starting was lost; run this command again');
    process.exit(1);
  };

/**
 * Shares the advisory lock of each service of a step while an instance of it runs. Postgres releases a lock with its connection, so a lost lock
 * is taken again.
 * @returns a function that releases it. @throws StartError if a job excludes instances
 */
export async function instanceLock(
  frame: LockFrame,
  step: LockedStep,
  { check, onRefused }: KeptLock,
): Promise<() => Promise<void>> {
  let session: pg.Client | null = await openLockedSession(frame, step, 'shared');
  let looking: Promise<void> = Promise.resolve();
  const renew = async (): Promise<void> => {
    if (session !== null && (await isOpen(session))) return;
    if (session !== null) await endSession(session, frame.clock);
    session = null;
    const taken = await openLockedSession(frame, step, 'shared');
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
      // After any other error the database cannot be reached, so the instance cannot commit either.
      if (error instanceof StartError || error instanceof StepsDifferError) onRefused(error);
    },
  );
  return async () => {
    cancel();
    await looking.catch(() => undefined);
    if (session !== null) await release(session, frame.clock);
  };
}

/**
 * Releases the locks before the session ends. A pooler or a proxy may end the server's side of the connection later, and the lock would last until
 * then.
 */
async function release(session: pg.Client, clock: LockFrame['clock']): Promise<void> {
  await session.query('select pg_advisory_unlock_all()').catch(() => undefined);
  await endSession(session, clock);
}

async function isOpen(session: pg.Client): Promise<boolean> {
  try {
    await session.query('select 1');
    return true;
  } catch {
    return false;
  }
}

async function openLockedSession(
  { environment, clock }: LockFrame,
  { name, services }: LockedStep,
  mode: 'shared' | 'alone',
): Promise<pg.Client> {
  const client = await openSession(environment.database, {
    application_name: `laurel ${name}`,
    connectionTimeoutMillis: ANSWERED_WITHIN_MS,
    query_timeout: ANSWERED_WITHIN_MS,
    keepAlive: true,
  });
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
