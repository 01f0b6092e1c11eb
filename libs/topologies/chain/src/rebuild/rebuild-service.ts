import { randomUUID } from 'node:crypto';
import type { ChainReplay } from '@laurel/engine';
import { stepText, pause } from '@laurel/ports';
import type { StreamProducer } from '@laurel/event-stream';
import { aloneLock, endsWithoutLock } from './instance-lock.ts';
import { assertNoGap, assertWhole } from './assert-whole.ts';
import { replayOf, type ReplayableStep } from './replayed-step.ts';
import {
  TakeOverRefusedError,
  compareRebuilt,
  dropRebuilt,
  readFromBeginning,
  rebuiltSchemaOf,
  takeOver,
} from './take-over.ts';
import { StartError } from '@laurel/database';
import {
  assertRecorded,
  assertVersions,
  openPlace,
  type OpenPlace,
  type ProcessFrame,
  type SchemaName,
  topicsFor,
} from '@laurel/processes';

const LOOK_MS = 200;
const REPORT_MS = 2_000;
const ATTEMPTS = 10;

/**
 * Rebuilds the read models of a service from its input topic, while all services keep serving, then replaces those in use. Nothing is sent.
 * @throws StartError if the input is incomplete; the error of a message that cannot be applied. In both cases nothing has changed
 */
export async function rebuildService(frame: ProcessFrame, step: ReplayableStep): Promise<void> {
  await assertReplayable(frame, step);
  const { database } = frame.environment;
  await withReplay(frame, step, null, (replay) =>
    onceCaughtUp(frame, replay, (catchUp) => takeOver(database, namesOf(step), catchUp)),
  );
  frame.logger.info({ service: step.name }, 'rebuild completed');
}

/**
 * Rebuilds the read models of a service beside those in use, as {@link rebuildService} does, and compares both as of one moment. The read
 * models in use do not change. For each table with differences, the first is logged.
 * @returns whether both are the same @throws as {@link rebuildService}
 */
export async function verifyService(frame: ProcessFrame, step: ReplayableStep): Promise<boolean> {
  await assertReplayable(frame, step);
  const { database } = frame.environment;
  const differences = await withReplay(frame, step, null, (replay) =>
    onceCaughtUp(frame, replay, (catchUp) => compareRebuilt(database, step.schemas, catchUp)),
  );
  await dropRebuilt(database, namesOf(step));
  for (const { table, userId, stored, expected } of differences)
    frame.logger.error(
      { table, userId, stored: shortened(stored), expected: shortened(expected) },
      'a row of a table differs',
    );
  if (differences.length === 0) frame.logger.info({ service: step.name }, 'verified: nothing differs');
  return differences.length === 0;
}

/** Limit of a logged state, which may be as long as the user's history. */
const MOST_CHARACTERS = 2_000;
const shortened = (text: string | null): string | null => text && text.slice(0, MOST_CHARACTERS);

/** Runs `work` once the replay has caught up with the service, and retries if the service was faster. */
async function onceCaughtUp<T>(
  frame: ProcessFrame,
  replay: ChainReplay,
  work: (catchUp: (limitMs: number) => Promise<boolean>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    await follow(frame, replay);
    try {
      return await work((limitMs) => caughtUpWithin(frame, replay, limitMs));
    } catch (error) {
      if (!(error instanceof TakeOverRefusedError) || attempt === ATTEMPTS) throw error;
      frame.logger.info(
        { attempt, reason: error.message },
        'the replay has not caught up with the service yet; retrying',
      );
    }
  }
}

/**
 * Recreates a lost output topic of a service, and sends all messages again under the same numbers. Readers drop messages that they have seen.
 * No instance of the service may run meanwhile.
 * @throws StartError if an instance runs, or the input is incomplete; ResendDiffersError if this release produces other messages
 */
export async function resendOutput(frame: ProcessFrame, step: ReplayableStep): Promise<void> {
  const { environment, stream, logger } = frame;
  const topic = topicsFor(environment).find(({ name }) => name === step.output);
  if (topic === undefined || step.next === null) throw new StartError(`${step.name} has no output that is kept`);
  const release = await aloneLock(frame, step, endsWithoutLock(frame));
  try {
    await assertReplayable(frame, step);
    await stream.remakeTopic(topic);
    await readFromBeginning(environment.database, step.next);
    const producer = await stream.openProducer();
    await withReplay(frame, step, producer, async (replay) => {
      await follow(frame, replay);
      await assertSameNumbers(replay);
    });
    await producer.close();
    await dropRebuilt(environment.database, namesOf(step));
  } finally {
    await release();
  }
  logger.info({ service: step.name, topic: topic.name }, 'all messages of the output topic were sent again');
}

/** @throws StepsDifferError; StartError if the input lacks messages that the step has applied. Nothing is changed */
async function assertReplayable({ environment, stream }: ProcessFrame, step: ReplayableStep): Promise<void> {
  const live = await openPlace(environment.database, step);
  const [{ sql }] = live.opened;
  try {
    await assertRecorded(
      sql,
      step,
      (recorded) =>
        `nothing is sent to the topics within a step. Run apps/area-service with LAUREL_STEPS=${stepText(recorded)} instead`,
    );
    await assertNoGap(sql, step.input);
  } finally {
    await live.close();
  }
  await assertWhole(stream, step.input);
}

/** This release produces other messages than the lost ones, so readers would miss messages or see them twice. */
export class ResendDiffersError extends Error {
  override readonly name = 'ResendDiffersError';
}

async function assertSameNumbers(replay: ChainReplay): Promise<void> {
  const differing = await replay.partitionsSentOtherwise();
  if (differing.length > 0)
    throw new ResendDiffersError(
      `this release sends another number of messages for partitions ${differing.join(', ')}: run the release that sent them, ` +
        'or make the services behind anew from the store',
    );
}

async function withReplay<T>(
  frame: ProcessFrame,
  step: ReplayableStep,
  producer: Pick<StreamProducer, 'send'> | null,
  work: (replay: ChainReplay) => Promise<T>,
): Promise<T> {
  const { environment, stream } = frame;
  await dropRebuilt(environment.database, namesOf(step));
  const live = await openPlace(environment.database, step);
  const into = await openRebuilt(frame, step);
  try {
    const replay = replayOf(frame, step, { live, into, producer });
    // A separate group, so that it takes no partition from the service; its position is not needed afterwards.
    const consumer = await stream.consume(
      { topic: step.input, group: `laurel.replay.${randomUUID()}`, from: 'beginning', concurrency: 4 },
      replay,
    );
    try {
      return await work(replay);
    } finally {
      await consumer.close();
    }
  } finally {
    await Promise.all([into.close(), live.close()]);
  }
}

async function openRebuilt({ environment }: ProcessFrame, step: ReplayableStep): Promise<OpenPlace> {
  const rebuilt = await openPlace(environment.database, step, rebuiltSchemaOf);
  await assertVersions(rebuilt, step);
  return rebuilt;
}

const namesOf = ({ schemas }: ReplayableStep): readonly SchemaName[] => schemas.map(({ name }) => name);

/** Waits until the replay has caught up with the service. */
async function follow({ clock, logger }: ProcessFrame, replay: ChainReplay): Promise<void> {
  let reportedAtMs = clock.elapsedMs();
  while (!(await replay.hasCaughtUp())) {
    await pause(clock, LOOK_MS);
    if (clock.elapsedMs() - reportedAtMs < REPORT_MS) continue;
    reportedAtMs = clock.elapsedMs();
    logger.info({ messages: replay.applied }, 'replaying the input; number of messages so far');
  }
}

async function caughtUpWithin({ clock }: ProcessFrame, replay: ChainReplay, limitMs: number): Promise<boolean> {
  const since = clock.elapsedMs();
  while (!(await replay.hasCaughtUp())) {
    if (clock.elapsedMs() - since > limitMs) return false;
    await pause(clock, LOOK_MS / 10);
  }
  return true;
}
