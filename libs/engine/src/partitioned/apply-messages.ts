import { StoreUnavailableError } from '@laurel/kernel';
import type { DataKeys, StreamedConfiguration, StreamedContributions, StreamedRecord } from '@laurel/ports';
import type { KeysByUser, RecordedVerdicts } from '@laurel/event-store';
import type { ProjectionBatch } from './projection.ts';
import type { Publications } from './publications.ts';
import { withVerdicts } from './recorded-verdicts.ts';
import type { AppliedContributions, AppliedRecord, Routed, RoutedEffect, Routes } from './routes.ts';
import { keysFor, opened } from './sealed-records.ts';
import type { NextMessage } from './take-front.ts';

export interface ApplyingDependencies {
  readonly partition: number;
  readonly publications: Publications;
  readonly routes: Routes;
  /** Keys to open personal fields, which arrive sealed. */
  readonly dataKeys: DataKeys;
  /** Finds how requests for points were decided. Absent if the areas decide no requests. */
  readonly verdicts?: Pick<RecordedVerdicts, 'addedTo'>;
  /** Services of the topology that this process covers; the processed offsets have one entry for each. Default: 1. */
  readonly services?: number;
}

/** The result of the messages that were applied. */
export interface Applied {
  readonly messages: readonly NextMessage[];
  readonly outputs: readonly Routed[];
  readonly effects: readonly RoutedEffect[];
  readonly publications: readonly StreamedConfiguration[];
  /** Why the next message could not be applied; null if all were applied or the batch is full. */
  readonly stoppedBy: Error | null;
}

/** A sweep or an import may add many rows, so rows are counted as well as messages. */
const MOST_ROWS = 20_000;

/** Applies messages in order, up to the first that cannot be applied or until the batch is full. @throws StoreUnavailableError */
export async function applyMessages(
  dependencies: ApplyingDependencies,
  batch: ProjectionBatch,
  front: readonly NextMessage[],
): Promise<Applied> {
  const { dataKeys, verdicts } = dependencies;
  const next = verdicts === undefined ? front : await withVerdicts(front, verdicts);
  const messages: NextMessage[] = [];
  const outputs: Routed[] = [];
  const effects: RoutedEffect[] = [];
  const publications: StreamedConfiguration[] = [];
  const all = next.map(({ streamed }) => streamed);
  const applying = { ...dependencies, batch, keys: await keysFor(all, dataKeys) };
  await batch.load(next.flatMap(({ streamed }) => (streamed.kind === 'record' ? [streamed.message] : [])));
  for (const one of next) {
    if (batch.weight > MOST_ROWS) break;
    const made = await applyOne(applying, one);
    if (made instanceof Error) return { messages, outputs, effects, publications, stoppedBy: made };
    messages.push(one);
    if ('kind' in made) {
      publications.push(made);
      outputs.push(...forward(dependencies, made));
    } else {
      if ('message' in made) outputs.push(...dependencies.routes.record(made));
      effects.push(...dependencies.routes.effects(made));
    }
  }
  return { messages, outputs, effects, publications, stoppedBy: null };
}

interface Applying extends ApplyingDependencies {
  readonly batch: ProjectionBatch;
  readonly keys: KeysByUser;
}

/** Answers, rather than throws, why a message cannot be applied. */
async function applyOne(
  applying: Applying,
  next: NextMessage,
): Promise<AppliedRecord | AppliedContributions | StreamedConfiguration | Error> {
  const { streamed } = next;
  try {
    if (streamed.kind !== 'configuration') return await applyRecord(applying, streamed, next.message.offset);
    await applying.publications.learn(streamed);
    return streamed;
  } catch (error) {
    if (error instanceof StoreUnavailableError) throw error;
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function applyRecord(
  { publications, partition, services = 1, batch, keys }: Applying,
  streamed: StreamedRecord | StreamedContributions,
  offset: number,
): Promise<AppliedRecord | AppliedContributions> {
  const isRecord = streamed.kind === 'record';
  const { account, configurationVersion } = isRecord ? streamed.message.record : streamed.contributions;
  const configuration = await publications.at(account, configurationVersion);
  const given = isRecord ? opened(streamed, keys) : streamed.contributions;
  const made = await batch.apply(given, configuration, publications.historyOf(account).current);
  if ('outcomes' in made) return { ...made, partition };
  const before = isRecord ? streamed.trail : [];
  return {
    message: made,
    configuration,
    trail: [...before, offset, ...new Array<number>(services - 1).fill(READ_WITH_THE_ONE_BEFORE)],
    partition,
  };
}

/**
 * The offset of a service whose areas share a commit with the service before it. Every checkpoint is past this offset.
 */
const READ_WITH_THE_ONE_BEFORE = -1;

const forward = ({ routes, partition }: ApplyingDependencies, streamed: StreamedConfiguration): readonly Routed[] =>
  routes.configurationTo(partition).map((target) => ({ partition: target, key: streamed.account, streamed }));
