import type { PointsTriggerDocument } from '@laurel/schemas';
import { v5 } from 'uuid';
import { triggerIdentity } from '../document/trigger-content.ts';

/** Must never change: ids in logs, tables and clients are derived from it. */
const LAUREL_NAMESPACE = '5f1c0a52-8f43-4c53-9d0e-0f6d3a5f7b11';

type Kind = 'metric' | 'achievement' | 'points' | 'trigger' | 'level' | 'boost' | 'leaderboard';

/**
 * The id of a configured item: a UUID derived from the account, the kind and the key, or the key within a points
 * system.
 */
export function idOf(account: string, kind: Kind, ...keys: readonly string[]): string {
  return v5(JSON.stringify([account, kind, ...keys]), LAUREL_NAMESPACE);
}

/**
 * Derived from the trigger's key or else its content, so that reordering triggers changes no id (specification, section
 * 6).
 */
export function triggerId(account: string, system: string, trigger: PointsTriggerDocument): string {
  return idOf(account, 'trigger', system, ...triggerIdentity(trigger));
}
