import { MAX_ATTRIBUTES } from '@laurel/profile';
import { z } from 'zod';
import { nearName, suggested } from './near-name.ts';

/** NUL and lone surrogates cannot be stored; one such text would fail a whole batch. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Words the error of a wrong or missing field, without its path. A null that is not allowed counts as missing. */
export const must = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined || input === null ? 'is required' : `must be ${what}`,
});

/** Words the error of a field that takes only certain names, and suggests the nearest of them. */
export const mustBeOneOf = (names: readonly string[], what = `one of ${names.join(', ')}`) => ({
  error: ({ input }: { readonly input?: unknown }): string =>
    typeof input === 'string' ? `must be ${what}${suggested(nearName(input, names))}` : must(what).error({ input }),
});

const MOST_NAMED = 10;
const LONGEST_NAMED = 64;

/** Words the error of a body that is no object, or has unknown fields: names at most ten of them. */
export const mustHaveKnownFields = {
  error: (issue: { readonly code?: string; readonly keys?: unknown; readonly input?: unknown }): string => {
    if (issue.code !== 'unrecognized_keys') return must('an object').error(issue);
    const keys = issue.keys as readonly string[];
    const more = keys.length > MOST_NAMED ? ` and ${keys.length - MOST_NAMED} more` : '';
    return `must not have ${keys
      .slice(0, MOST_NAMED)
      .map((key) => key.slice(0, LONGEST_NAMED))
      .join(', ')}${more}`;
  },
};

/** True if the text has from `min` to `max` code points and can be stored. */
export function isText(text: string, min: number, max: number): boolean {
  if (text.length < min || text.length > 2 * max || UNSTORABLE.test(text)) return false;
  return text.length <= max || [...text].length <= max;
}

/** A text of `min` to `max` code points without NUL and lone surrogates. */
export const text = (min: number, max: number) => {
  const what = `a string of ${min}–${max} characters without NUL and lone surrogates`;
  return z
    .string(must(what))
    .refine((value) => isText(value, min, max), `must be ${what}`)
    .meta({ minLength: min, maxLength: max });
};

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether the text is a UUID, in upper or lower case. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** Whether the text can be a user's id. */
export const isUserId = (id: string): boolean => isText(id, 1, 255) && id !== '.' && id !== '..';

/** Blanks, control characters and characters without a visible form: U+2800 is an empty braille pattern, U+FFF9 to U+FFFB mark annotations. */
const INVISIBLE = /^[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]*$/u;

/** True if the text shows anything. A new user's id must (specification, section 1). */
export const isVisible = (text: string): boolean => !INVISIBLE.test(text);

/** A user's id (specification, section 1): `.` and `..` would vanish from a path. */
export const userId = text(1, 255)
  .refine((id) => id !== '.' && id !== '..', 'must not be "." or ".."')
  .meta({
    id: 'UserId',
    description:
      'The caller’s own identifier of the user: 1–255 characters, at least one of them visible, not `.` or `..`, compared byte by byte.',
    examples: ['ada'],
  });

/** Bounds of the attributes of a user or an event. */
const ATTRIBUTE_BOUNDS = { count: MAX_ATTRIBUTES, keyLength: 255, valueLength: 1024 } as const;

/**
 * An object of strings, read into a Map because `__proto__` is a legal key. With `removable`, a value may be null, which removes the key.
 */
function attributes<Value extends string | null>(
  removable: boolean,
  id: string,
  description: string,
  example: Readonly<Record<string, Value>>,
) {
  const { count, keyLength, valueLength } = ATTRIBUTE_BOUNDS;
  const whatValue = `a string of at most ${valueLength} characters${removable ? ', or null' : ''}`;
  return z
    .custom<Record<string, Value>>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
      error: 'must be an object',
    })
    .meta({
      id,
      description,
      type: 'object',
      maxProperties: removable ? 2 * count : count,
      additionalProperties: { type: removable ? ['string', 'null'] : 'string', maxLength: valueLength },
      examples: [example],
    })
    .transform((value, context): ReadonlyMap<string, Value> => {
      const refuse = (message: string, path: string[] = []) =>
        context.issues.push({ code: 'custom', message, path, input: value });
      const excess = excessOf(value, removable);
      if (excess !== null) {
        refuse(`must have at most ${count} entries${excess}`);
        return new Map();
      }
      const entries = Object.entries(value);
      for (const [key, member] of entries) {
        if (!isText(key, 1, keyLength)) refuse(`must have keys of 1–${keyLength} characters`);
        else if (removable && member === null) continue;
        else if (typeof member !== 'string' || !isText(member, 0, valueLength)) refuse(`must be ${whatValue}`, [key]);
      }
      return new Map(entries);
    });
}

/** Words of which entries there are too many; null if there are not. Stops at the first one beyond the limit. */
function excessOf(value: Readonly<Record<string, string | null>>, removable: boolean): string | null {
  const { count } = ATTRIBUTE_BOUNDS;
  let set = 0;
  let removed = 0;
  for (const key of Object.keys(value)) {
    if (removable && value[key] === null) removed++;
    else if (++set > count) return removable ? ' to set' : '';
  }
  return removed > count ? ' to remove' : null;
}

export const userAttributes = attributes<string | null>(
  true,
  'AttributeChanges',
  'Merged into those of the user by key; null removes a key. The user has at most 50 after it; at most 50 are removed at a time. Keys of 1–255, values of at most 1,024 characters.',
  { plan: 'pro', trial: null },
);

export const eventAttributes = attributes<string>(
  false,
  'EventAttributes',
  'Recorded with the event. At most 50, keys of 1–255, values of at most 1,024 characters.',
  { course: 'spanish' },
);
