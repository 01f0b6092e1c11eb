import {
  fieldsOf,
  type UserCommand,
  type CorrectionRecorded,
  type PointsRequest,
  type UserFields,
} from '@laurel/kernel';
import type { InternalCommand } from './internal-command.ts';

/** Size of a command without its texts. */
const OVERHEAD = 300;

/** Approximate encoded size of a command, computed from its texts without encoding it. */
export function commandBytes(command: UserCommand): number {
  const bytes = OVERHEAD + userBytes(fieldsOf(command));
  if (command.type === 'GiveGrant' || command.type === 'EraseUser')
    return bytes + textBytes(command.attribution.reason);
  if (command.type === 'RequestPoints') return bytes + requestBytes(command.request);
  if (command.type !== 'RecordMetricEvent') return bytes;
  return bytes + entryBytes(command.attributes) + entryBytes(command.attributeHashes);
}

/** Approximate size of an internal command. Commands without a user are small and rare. */
export function internalCommandBytes(command: InternalCommand): number {
  if (command.type === 'CorrectUser') return correctionBytes(command.correction) + command.folds.bytes;
  return 'subject' in command ? commandBytes(command) : 0;
}

export const correctionBytes = ({ corrections, reason }: CorrectionRecorded): number =>
  OVERHEAD + corrections.length * BYTES_OF_CORRECTION + textBytes(reason);

const BYTES_OF_CORRECTION = 150;

function userBytes({ name, email, deviceTokens, attributes, attributeHashes }: UserFields): number {
  const tokens = (deviceTokens ?? []).reduce((sum, token) => sum + textBytes(token), 0);
  return textBytes(name) + textBytes(email) + tokens + entryBytes(attributes) + entryBytes(attributeHashes);
}

function entryBytes(entries: ReadonlyMap<string, string | null> | undefined): number {
  let bytes = 0;
  if (entries) for (const [key, value] of entries) bytes += textBytes(key) + textBytes(value);
  return bytes;
}

const requestBytes = (request: PointsRequest): number =>
  textBytes(request.reason) + (request.type === 'SpendRequested' ? textBytes(request.reference) : 0);

const textBytes = (text: string | null | undefined): number => (text ? Buffer.byteLength(text) : 0);
