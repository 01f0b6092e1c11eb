import type { AttributeHashes } from '@laurel/profile';

/** The attributes that a document requires: for each key a value, or several of which one must match. */
export type WrittenAttributes = Readonly<Record<string, string | readonly string[]>>;

/** The conditions of an entry of a document, on the attributes of the event and of the user. */
export interface WrittenConditions {
  readonly event?: WrittenAttributes | undefined;
  readonly user?: WrittenAttributes | undefined;
}

/** A required attribute of a compiled version. Rules compare hashes; answers and explanations show the texts. */
export interface Condition {
  readonly key: string;
  readonly values: readonly string[];
  readonly keyHash: string;
  readonly valueHashes: ReadonlySet<string>;
}

/** {@link WrittenConditions} in a compiled version; an empty list requires nothing. */
export interface Conditions {
  readonly event: readonly Condition[];
  readonly user: readonly Condition[];
}

export const requiresEvent = (where: Conditions | null): boolean => where !== null && where.event.length > 0;
export const requiresUser = (where: Conditions | null): boolean => where !== null && where.user.length > 0;

/** Whether every required attribute has one of its values. An absent attribute matches nothing. */
export function areMet(conditions: readonly Condition[], hashes: AttributeHashes | undefined): boolean {
  for (const { keyHash, valueHashes } of conditions) {
    const hash = hashes?.get(keyHash);
    if (hash === undefined || !valueHashes.has(hash)) return false;
  }
  return true;
}

/** A required attribute as answers show it: an element for each value. */
export interface RequiredAttribute {
  readonly key: string;
  readonly value: string;
}

export const requiredAttributes = (conditions: readonly Condition[] = []): RequiredAttribute[] =>
  conditions.flatMap(({ key, values }) => values.map((value) => ({ key, value })));

/** The hash of an attribute's key, and of its value, as a publication records them. */
export interface HashedAttribute {
  readonly key: string;
  readonly value: string;
  readonly keyHash: string;
  readonly valueHash: string;
}

/** Conditions in words, such as ` where user.plan is pro`; empty without conditions. Conditions that differ have different words. */
export function conditionsInWords(where: WrittenConditions | null): string {
  const required = (['event', 'user'] as const).flatMap((whose) =>
    Object.entries(where?.[whose] ?? {}).map(([key, values]) => `${whose}.${key} is ${[values].flat().join(' or ')}`),
  );
  return required.length === 0 ? '' : ` where ${required.join(' and ')}`;
}
