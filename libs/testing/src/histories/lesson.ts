import type { RecordMetricEvent } from '@laurel/kernel';
import { subjectOf } from '../subjects.ts';
import { ACCOUNT } from './account.ts';

/** A lesson of a user, received now, or imported with its own instant. */
export const lesson = (userId: string, occurredAt: number | null = null): RecordMetricEvent => ({
  type: 'RecordMetricEvent',
  account: ACCOUNT,
  subject: subjectOf(userId),
  metric: 'lessons',
  value: 1_000_000n,
  user: {},
  attributes: new Map(),
  keyHash: null,
  occurredAt,
});
