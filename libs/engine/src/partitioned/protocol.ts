import { STREAM_SCHEMA, TOPICS, type EffectMessage, type Streamed, type StreamedRecord } from '@laurel/ports';
import type { OutgoingMessage, StreamMessage } from '@laurel/event-stream';
import { decodeMessage, encodeExact, encodeMessage } from '../folding/message-codec.ts';
import { decodeContributions, encodeContributions } from './contributions-codec.ts';
import type { RoutedEffect } from './routes.ts';
import { withoutPersonal } from './sealed-records.ts';

/**
 * The exactly-once protocol between two services. Every message names the partition of the sender's input that it
 * results from, and a sequence number for that pair of partitions. A sender that crashes between sending and committing
 * sends the same messages again, with the same numbers but at other offsets. Receivers therefore compare numbers, not
 * offsets.
 */
export interface Origin {
  readonly source: number;
  /** Starts at 1, without gaps, for each pair of source and target partition. */
  readonly sequence: number;
}

const HEADERS = { schema: 'laurel-schema', source: 'laurel-source', sequence: 'laurel-sequence' } as const;

export const headersOf = ({ source, sequence }: Origin): Readonly<Record<string, string>> => ({
  [HEADERS.schema]: String(STREAM_SCHEMA),
  [HEADERS.source]: String(source),
  [HEADERS.sequence]: String(sequence),
});

/** @throws PoisonError if the headers are not those of this protocol. */
export function originOf(message: StreamMessage): Origin {
  const source = wholeNumber(message, HEADERS.source);
  const sequence = wholeNumber(message, HEADERS.sequence);
  return { source, sequence };
}

function wholeNumber({ headers, offset }: StreamMessage, name: string): number {
  const text = headers[name];
  if (text !== undefined && /^\d{1,15}$/.test(text)) return Number(text);
  throw new PoisonError(offset, `the message has no whole number in its header ${name}`);
}

export function encodeStreamed(streamed: Streamed): string {
  if (streamed.kind === 'configuration') return JSON.stringify(streamed);
  if (streamed.kind === 'contributions') return encodeContributions(streamed.contributions);
  const sealed = streamed.sealed === undefined ? '' : `"sealed":"${streamed.sealed}",`;
  return `{"kind":"record",${sealed}"trail":${JSON.stringify(streamed.trail)},"message":${encodeMessage(withoutPersonal(streamed.message))}}`;
}

/** Keeps bigint and Map exactly, as chain messages do. */
export function encodeEffect(effect: EffectMessage): string {
  if (effect.kind === 'boards') return encodeExact(effect);
  const { sections } = effect.message;
  return encodeExact({ ...effect, message: { sections } });
}
export const decodeEffect = (text: string): EffectMessage => decodeMessage(text) as never;

export const effectMessage = ({ partition, key, effect }: RoutedEffect): OutgoingMessage => ({
  topic: TOPICS.effects,
  partition,
  key,
  value: encodeEffect(effect),
  headers: {},
});

/** Schema 1 named users by their ids; it is in the topics of 0.1 only. */
const FIRST_SCHEMA = 2;

/**
 * Chain topics keep all messages, so every schema ever written stays readable: `UPCASTERS[n]` converts a message of
 * schema n + 2 to n + 3. {@link STREAM_SCHEMA} is the number of upcasters plus two.
 */
const UPCASTERS: readonly ((older: Streamed) => Streamed)[] = [
  // Schema 3 added contributions. A service that receives a record of schema 2 computes its contributions itself,
  // because that needs a configuration.
  (older) => older,
];

/** @throws PoisonError if this release cannot read the message. */
export function decodeStreamed(message: StreamMessage, upcasters = UPCASTERS): Streamed {
  const schema = wholeNumber(message, HEADERS.schema);
  const last = FIRST_SCHEMA + upcasters.length;
  if (schema < FIRST_SCHEMA || schema > last)
    throw new PoisonError(
      message.offset,
      `the message is of schema ${schema}; this release reads ${FIRST_SCHEMA} to ${last}`,
    );
  try {
    return upcasters.slice(schema - FIRST_SCHEMA).reduce((streamed, upcast) => upcast(streamed), read(message.value));
  } catch (cause) {
    throw new PoisonError(message.offset, 'the message cannot be read', { cause });
  }
}

function read(value: string): Streamed {
  if (value.startsWith('[')) return { kind: 'contributions', contributions: decodeContributions(value) };
  const kind = /^\{"kind":"(record|configuration)"/.exec(value)?.[1];
  if (kind === 'configuration') return JSON.parse(value) as Streamed;
  if (kind === 'record') return decodeMessage(value) as unknown as StreamedRecord;
  throw new Error('the message holds neither a record nor contributions nor a configuration');
}

/** A message that cannot be applied: its partition stops there. Nothing is skipped. */
export class PoisonError extends Error {
  override readonly name = 'PoisonError';
  readonly offset: number;

  constructor(offset: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.offset = offset;
  }
}
