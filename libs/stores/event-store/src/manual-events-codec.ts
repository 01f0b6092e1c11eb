import { formatAmount, parseAmount } from '@laurel/amounts';
import { formatInstant, parseInstant, type Instant } from '@laurel/calendar';
import {
  BOOST_ROUNDINGS,
  type Attribution,
  type BoostGrant,
  type CorrectionRecorded,
  type EventCorrection,
  type Grant,
  type GrantRecorded,
  type Subject,
} from '@laurel/kernel';
import { attributionOf, type Json, type StoredEventData } from './stored-event-data.ts';

/** The reason is personal: it may say anything about the user. */
export function encodeGrant({ subject, grant, keyHash, by, reason }: GrantRecorded) {
  return {
    subject,
    keyHash,
    data: { grant: encodeGranted(grant), ...(by !== undefined && { by }) },
    personal: personalIn({ reason }),
  };
}

export function decodeGrant(subject: Subject, { keyHash, personal }: StoredEventData, data: Json): GrantRecorded {
  return {
    type: 'GrantRecorded',
    subject,
    grant: decodeGranted(data['grant'] as Json),
    keyHash,
    ...attributionOf({ ...(data as Attribution), ...(personal as Attribution | null) }),
  };
}

const encodeGranted = (grant: Grant): Json =>
  grant.kind === 'points' ? { ...grant, amount: String(grant.amount) } : { ...grant };

/** @throws Error for a kind that this release does not know. */
function decodeGranted(granted: Json): Grant {
  const { kind, system, amount, boards, achievement, from, to } = granted;
  switch (kind) {
    case 'boost':
      return decodeBoost(granted);
    case 'points': {
      const points = { system: String(system), amount: BigInt(String(amount)) };
      return { kind, ...points, ...(boards === false && { boards }) };
    }
    case 'freezes':
      return { kind, amount: Number(amount) };
    case 'streak':
      return { kind };
    case 'excused':
      return { kind, from: String(from), to: String(to) };
    case 'achievement':
    case 'revocation':
      return { kind, achievement: String(achievement) };
    default:
      throw new Error(`a grant of the unknown kind ${JSON.stringify(kind)}`);
  }
}

const decodeBoost = ({ system, name, multiplier, rounding, lasts }: Json): BoostGrant => ({
  kind: 'boost',
  system: String(system),
  name: String(name),
  multiplier: Number(multiplier),
  rounding: oneOf(BOOST_ROUNDINGS, rounding),
  lasts: lasts as BoostGrant['lasts'],
});

export function encodeCorrection({ subject, corrections, keyHash, by, reason, ...how }: CorrectionRecorded) {
  const { achievements, finalRuns, preview } = how;
  return {
    subject,
    keyHash,
    data: {
      corrections: corrections.map(encodeEventCorrection),
      achievements,
      finalRuns,
      preview,
      ...(by !== undefined && { by }),
    },
    personal: personalIn({ reason }),
  };
}

export function decodeCorrection(
  subject: Subject,
  { keyHash, personal }: StoredEventData,
  data: Json,
): CorrectionRecorded {
  return {
    type: 'CorrectionRecorded',
    subject,
    corrections: (data['corrections'] as readonly Json[]).map(decodeEventCorrection),
    achievements: oneOf(['recompute', 'keep'], data['achievements']),
    finalRuns: oneOf(['keep', 'change'], data['finalRuns']),
    preview: String(data['preview']),
    keyHash,
    ...attributionOf({ ...(data as Attribution), ...(personal as Attribution | null) }),
  };
}

function encodeEventCorrection({ position, eventId, ...change }: EventCorrection): Json {
  if (change.retract) return { position, eventId, retract: true };
  const { value, occurredAt, tz } = change;
  return {
    position,
    eventId,
    ...(value !== undefined && { value: formatAmount(value) }),
    ...(occurredAt !== undefined && { occurredAt: formatInstant(occurredAt) }),
    ...(tz !== undefined && { tz }),
  };
}

function decodeEventCorrection({ position, eventId, retract, value, occurredAt, tz }: Json): EventCorrection {
  const event = { position: Number(position), eventId: String(eventId) };
  if (retract === true) return { ...event, retract };
  return {
    ...event,
    ...(value !== undefined && { value: parseAmount(String(value)) }),
    ...(occurredAt !== undefined && { occurredAt: instantIn(String(occurredAt)) }),
    ...(tz !== undefined && { tz: String(tz) }),
  };
}

/** @throws Error if the text is no instant */
function instantIn(text: string): Instant {
  const instant = parseInstant(text);
  if (instant === null) throw new Error(`${JSON.stringify(text)} is no instant`);
  return instant;
}

/** @throws Error for a word that this release does not know. */
function oneOf<const Word extends string>(words: readonly Word[], given: unknown): Word {
  const word = words.find((known) => known === given);
  if (word === undefined) throw new Error(`${JSON.stringify(given)} is none of ${words.join(', ')}`);
  return word;
}

const personalIn = ({ reason }: { readonly reason: string | undefined }): Json | null =>
  reason === undefined ? null : { reason };
