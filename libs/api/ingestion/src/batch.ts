import { parseInstant, type Instant } from '@laurel/calendar';
import type { Configuration, Metric } from '@laurel/kernel';
import {
  batchItem,
  batchItemNames,
  compiledSchema,
  mistakenFields,
  type ProblemCode,
  problemItems,
  sentenceOf,
  type Suggest,
  unknownThing,
} from '@laurel/schemas';
import { keyFields, type EventFields, type EventOrigin } from './commands.ts';

export const BATCH_SIZE = 1_000;

/** How far an imported instant may be ahead of our clock. */
const TOLERATED_AHEAD_MS = 5 * 60_000;

/** An item of a batch: an event to record, or the reason why it is invalid. */
export type ReadItem =
  | {
      readonly type: 'valid';
      readonly index: number;
      readonly metric: Metric;
      readonly event: EventFields;
      readonly origin: EventOrigin;
    }
  | {
      readonly type: 'invalid';
      readonly index: number;
      readonly status: number;
      readonly code: ProblemCode;
      readonly error: string;
    };

/** The context in which items are read. */
export interface ReadContext {
  readonly account: string;
  /** The sender's name in the log. */
  readonly by: string;
  readonly configuration: Configuration;
  readonly now: Instant;
  /** Shared by the whole batch or stream. */
  readonly suggest: Suggest;
}

/** Takes at most some milliseconds, however long the items are. */
const ITEMS_PER_TURN = 20;

const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Checks items in chunks, so that other requests get their turn in between. If `read` returns null, it stops before
 * that item.
 */
export async function readItemsInSteps<T>(
  items: readonly T[],
  read: (item: T, place: number) => ReadItem | null,
  giveWay: () => Promise<unknown> = turnOfTheLoop,
): Promise<readonly ReadItem[]> {
  const done: ReadItem[] = [];
  for (const [place, item] of items.entries()) {
    if (place > 0 && place % ITEMS_PER_TURN === 0) await giveWay();
    const one = read(item, place);
    if (one === null) break;
    done.push(one);
  }
  return done;
}

/** Checks an item like a single event: first the metric, then every field (specification, sections 2 and 9). */
export function readItem(item: unknown, index: number, context: ReadContext): ReadItem {
  const invalid = (status: 404 | 422, error: string): ReadItem => {
    const code = status === 404 ? 'unknown_metric' : 'invalid_request';
    return { type: 'invalid', index, status, code, error };
  };
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return invalid(422, 'The item must be an object.');
  const named = metricKey(item);
  const { metricByKey } = context.configuration;
  const metric = typeof named === 'string' ? metricByKey.get(named) : undefined;
  if (typeof named === 'string' && metric === undefined)
    return invalid(404, unknownThing('unknown_metric', named, metricByKey.keys(), context.suggest).error);
  const { data, error } = compiledSchema(batchItem).safeParse(item);
  const errors = [...(error ? problemItems(error) : []), ...mistakenFields(batchItemNames, item)];
  const occurredAt = data?.timestamp ?? instantIn(item);
  if (metric === undefined)
    errors.unshift({
      path: 'metric',
      message: named === undefined || named === null ? 'is required' : 'must be a string',
    });
  if (occurredAt !== null && occurredAt > context.now + TOLERATED_AHEAD_MS)
    errors.push({ path: 'timestamp', message: 'must not be later than now + 5 min' });
  if (data === undefined || metric === undefined || errors.length > 0) return invalid(422, sentenceOf(errors));
  const { account, by } = context;
  const imported = occurredAt === null ? { occurredAt } : { occurredAt, importedBy: by };
  const key = keyFields(data.idempotencyKey ?? null);
  return { type: 'valid', index, metric, event: data, origin: { account, metric: metric.key, ...imported, ...key } };
}

/** The instant of an item that has another fault, to report both faults. */
function instantIn({ timestamp }: { readonly timestamp?: unknown }): Instant | null {
  return typeof timestamp === 'string' ? parseInstant(timestamp) : null;
}

/** The metric is named by `metric` or `key`. */
function metricKey(item: object): unknown {
  const { metric, key } = item as { readonly metric?: unknown; readonly key?: unknown };
  return metric ?? key;
}

/** The items of a batch: the body itself, or its `events`. null if neither is an array. */
export function itemsOf(body: object): readonly unknown[] | null {
  if (Array.isArray(body)) return body;
  const { events } = body as { readonly events?: unknown };
  return Array.isArray(events) ? events : null;
}
