import type { SqlReader } from '@laurel/kernel';
import { stepOf, stepText, pause, type ChainServiceEntry, type ChainStep } from '@laurel/ports';
import { StartError, clientConfig, openSession, sqlOf } from '@laurel/database';
import { holdLead } from '@laurel/engine';
import { countMembers, type ProcessFrame, recordedSteps } from '@laurel/processes';
import { aloneLock, endsWithoutLock } from '../rebuild/instance-lock.ts';
import { moveCheckpoints } from './move-checkpoints.ts';
import { stepProgress } from './step-progress.ts';

const LOOK_MS = 250;
const REPORT_MS = 2_000;

/**
 * Moves areas to these steps; the areas that remain before and after them become steps too. Nothing is published meanwhile. It waits until the
 * changed steps have applied all their messages, and then until they run nowhere. It logs every two seconds what it waits for, and may be ended
 * and run again at any time.
 * @throws StartError while an ingestion gateway publishes the log
 */
export async function moveSteps(frame: ProcessFrame, wanted: readonly ChainStep[]): Promise<void> {
  const { environment, logger } = frame;
  const endLead = await holdLead(clientConfig(environment.database));
  if (endLead === null)
    throw new StartError(
      'an ingestion gateway publishes the log: stop all of them first, so that nothing more comes in',
    );
  const client = await openSession(environment.database, { application_name: 'laurel-steps', keepAlive: true });
  try {
    const sql = sqlOf(client);
    const from = await recordedSteps(sql);
    const to = formWith(from, wanted);
    const changed = from.filter((step) => !to.some((other) => stepText(other) === stepText(step)));
    if (changed.length === 0) {
      logger.info({ steps: to.map(stepText) }, 'nothing to move: the areas already run in these steps');
      return;
    }
    await untilApplied(frame, sql, from, changed);
    const release = await untilAlone(frame, changed);
    try {
      await moveCheckpoints(client, from, to);
    } finally {
      await release();
    }
    logger.info(
      { from: from.map(stepText), to: to.map(stepText) },
      'moved the checkpoints; start the processes of the new steps',
    );
  } finally {
    await client.end();
    await endLead();
  }
}

/** The wanted steps, and the remaining parts of the recorded ones. */
export function formWith(recorded: readonly ChainStep[], wanted: readonly ChainStep[]): readonly ChainStep[] {
  const isWanted = (service: ChainServiceEntry) => wanted.some(({ services }) => services.includes(service));
  const left = recorded.flatMap(({ services }) => {
    const first = services.findIndex(isWanted);
    const behind = services.findLastIndex(isWanted) + 1;
    return first < 0 ? [services] : [services.slice(0, first), services.slice(behind)];
  });
  const steps = [...wanted, ...left.filter(({ length }) => length > 0).map(stepOf)];
  const placeOf = ({ services: [first] }: ChainStep) =>
    recorded.flatMap(({ services }) => services).indexOf(first as ChainServiceEntry);
  return steps.sort((a, b) => placeOf(a) - placeOf(b));
}

/**
 * Waits until the steps have applied all their messages, from the first step to the last: a step has then sent
 * everything that the next one must apply.
 */
async function untilApplied(
  frame: ProcessFrame,
  sql: SqlReader,
  steps: readonly ChainStep[],
  changed: readonly ChainStep[],
): Promise<void> {
  const { clock, environment, stream } = frame;
  const names = changed.map(({ name }) => name);
  await until(frame, async () => {
    const parts = { sql, stream, clock, steps, partitions: environment.partitions, published: 0 };
    const services = (await stepProgress(parts)).map(({ status }) => status);
    const last = services.findLastIndex(({ service }) => names.includes(service));
    const waiting = services.slice(0, last + 1).find(({ behind }) => behind !== 0);
    if (waiting === undefined) return null;
    const { service, behind, stopped } = waiting;
    const instances = (await countMembers(sql, [service])).get(service) ?? 0;
    return { waitingFor: `${service} to apply what it was sent`, behind, instances, stopped };
  });
}

async function untilAlone(frame: ProcessFrame, changed: readonly ChainStep[]): Promise<() => Promise<void>> {
  const [name, services] = [changed.map((step) => step.name).join('+'), changed.flatMap((step) => step.services)];
  let release: () => Promise<void> = () => Promise.resolve();
  await until(frame, async () => {
    try {
      release = await aloneLock(frame, { name, services }, endsWithoutLock(frame));
      return null;
    } catch (error) {
      if (error instanceof StartError) return { waitingFor: `all instances of ${name} to be stopped` };
      throw error;
    }
  });
  return release;
}

/** @param look returns null if the condition holds, otherwise the fields to log */
async function until({ clock, logger }: ProcessFrame, look: () => Promise<object | null>): Promise<void> {
  let reportedAtMs = -Infinity;
  for (let waiting = await look(); waiting !== null; waiting = await look()) {
    if (clock.elapsedMs() - reportedAtMs >= REPORT_MS) {
      reportedAtMs = clock.elapsedMs();
      logger.info(waiting, 'waiting to move the steps');
    }
    await pause(clock, LOOK_MS);
  }
}
