import { conditionsIn } from '../document/conditions-in.ts';
import type { Condition, Conditions, HashedAttribute, WrittenAttributes, WrittenConditions } from '@laurel/kernel';

/** The hashes that a publication has recorded of its conditions' attributes. */
export class ConditionHashes {
  readonly #keys = new Map<string, string>();
  /** By key, then value. */
  readonly #values = new Map<string, Map<string, string>>();

  constructor(hashed: readonly HashedAttribute[] = []) {
    for (const { key, value, keyHash, valueHash } of hashed) {
      this.#keys.set(key, keyHash);
      const values = this.#values.get(key) ?? new Map<string, string>();
      this.#values.set(key, values.set(value, valueHash));
    }
  }

  /** A condition without hashes is met by nobody: a document that is only planned has none yet. */
  condition(key: string, values: readonly string[]): Condition {
    const hashes = values.flatMap((value) => this.#values.get(key)?.get(value) ?? []);
    return { key, values, keyHash: this.#keys.get(key) ?? '', valueHashes: new Set(hashes) };
  }
}

export function compileConditions(written: WrittenConditions | null, hashes: ConditionHashes): Conditions | null {
  if (written === null) return null;
  const compiled = (required: WrittenAttributes = {}) =>
    attributesIn(required).map(([key, values]) => hashes.condition(key, values));
  return { event: compiled(written.event), user: compiled(written.user) };
}

/** The keys in the order of the document, each with its values. */
export const attributesIn = (required: WrittenAttributes): readonly (readonly [string, readonly string[]])[] =>
  Object.entries(required).map(([key, values]) => [key, typeof values === 'string' ? [values] : values]);

/** Hashes pairs of key and value, in their order. */
export type HashAttributes = (
  attributes: readonly (readonly [string, string])[],
) => Promise<readonly (readonly [string, string])[]>;

/** The hashes of all attributes that an accepted document's conditions name; undefined if it has none. */
export async function hashedConditions(
  document: unknown,
  hash: HashAttributes,
): Promise<readonly HashedAttribute[] | undefined> {
  const attributes = attributesNamed(document);
  if (attributes.length === 0) return undefined;
  const hashes = await hash(attributes);
  return attributes.map(([key, value], place): HashedAttribute => {
    const [keyHash = '', valueHash = ''] = hashes[place] ?? [];
    return { key, value, keyHash, valueHash };
  });
}

/** Each attribute once, in the order in which conditions name it. */
function attributesNamed(document: unknown): readonly (readonly [string, string])[] {
  const named = conditionsIn({ path: [], value: document }).flatMap(({ value }) => {
    const { event = {}, user = {} } = value as WrittenConditions;
    return [...attributesIn(event), ...attributesIn(user)];
  });
  const pairs = named.flatMap(([key, values]) => values.map((value) => [key, value] as const));
  return [...new Map(pairs.map((pair) => [JSON.stringify(pair), pair])).values()];
}
