import type { RecordMetricEvent } from '@laurel/contracts';
import { scopeKey, type IdempotencyScope, type UsedKey } from './event-store.ts';

/** Where the original of an event may stand: under its key, then as earlier releases may have read it. Empty without a key. */
export function scopesOf(event: RecordMetricEvent): readonly IdempotencyScope[] {
  const { account, userId, metric, idempotencyKey, earlierKeys = [] } = event;
  if (idempotencyKey === null) return [];
  return [idempotencyKey, ...earlierKeys].map((key) => ({ account, userId, metric, key }));
}

/** The first of these scopes that has been used, with what used it. */
export function originalAmong<Used>(
  scopes: readonly IdempotencyScope[],
  used: ReadonlyMap<string, Used>,
): Used | undefined {
  return scopes.map((scope) => used.get(scopeKey(scope))).find((original) => original !== undefined);
}

/** Used keys by their {@link scopeKey}. */
export const byScope = (used: readonly UsedKey[]): ReadonlyMap<string, UsedKey> =>
  new Map(used.map((key) => [scopeKey(key.scope), key]));
