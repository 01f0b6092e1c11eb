import type { KeyHash, RefundRequested, RequestDecided, SpendRequested, Subject, Verdict } from '@laurel/kernel';
import type { Json, StoredEventData } from './stored-event-data.ts';

/** Reason and reference are personal: they may say anything about the user. */
export const encodeSpend = ({ subject, keyHash, system, amount, verdict, reason, reference }: SpendRequested) => ({
  subject,
  keyHash,
  data: { system, amount, ...(verdict !== undefined && { verdict: { ...verdict } }) },
  personal: personalIn({ ...(reason !== undefined && { reason }), ...(reference !== undefined && { reference }) }),
});

export const decodeSpend = (
  subject: Subject,
  { keyHash, personal }: StoredEventData,
  { system, amount, verdict }: Json,
): SpendRequested => ({
  type: 'SpendRequested',
  subject,
  system: String(system),
  amount: Number(amount),
  keyHash: keyHash as KeyHash,
  ...verdictField(verdict),
  ...textIn('reason', personal),
  ...textIn('reference', personal),
});

export const encodeRefund = ({ subject, keyHash, system, spend, amount, verdict, reason }: RefundRequested) => ({
  subject,
  keyHash,
  data: { system, spend: { ...spend }, amount, ...(verdict !== undefined && { verdict: { ...verdict } }) },
  personal: personalIn(reason === undefined ? {} : { reason }),
});

export const decodeRefund = (
  subject: Subject,
  { keyHash, personal }: StoredEventData,
  { system, spend, amount, verdict }: Json,
): RefundRequested => ({
  type: 'RefundRequested',
  subject,
  system: String(system),
  spend: spend as RefundRequested['spend'],
  amount: amount === null ? null : Number(amount),
  keyHash: keyHash as KeyHash,
  ...verdictField(verdict),
  ...textIn('reason', personal),
});

export const encodeDecision = ({ keyHash, request, verdict }: RequestDecided) => ({
  keyHash,
  data: { request: { ...request }, verdict: { ...verdict } },
});

export const decodeDecision = (keyHash: KeyHash | null, { request, verdict }: Json): RequestDecided => ({
  type: 'RequestDecided',
  request: request as RequestDecided['request'],
  verdict: verdict as Verdict,
  keyHash: keyHash as KeyHash,
});

const verdictField = (stored: unknown): { readonly verdict?: Verdict } =>
  stored === undefined ? {} : { verdict: stored as Verdict };

const textIn = <Name extends string>(name: Name, personal: Json | null): { readonly [One in Name]?: string } =>
  typeof personal?.[name] === 'string' ? ({ [name]: personal[name] } as { readonly [One in Name]: string }) : {};

const personalIn = (texts: Json): Json | null => (Object.keys(texts).length === 0 ? null : texts);
