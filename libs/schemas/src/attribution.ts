import type { Attribution } from '@laurel/kernel';
import { text } from './text.ts';
import { nullableText } from './fields.ts';

/** A visible character. */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{C}]/u;

const reasonText = text(1, 1_000).refine((given) => given === '' || VISIBLE.test(given), 'must not be blank');

/** The optional reason of a manual action. */
export const reason = reasonText.nullable().optional().meta({
  description: 'The reason, in your own words: 1–1,000 characters, not only blanks. It is recorded.',
});

/** The required reason of a manual action. */
export const requiredReason = reasonText.meta({
  description:
    'The reason, in your own words: 1–1,000 characters, not only blanks. It is recorded, and erased with the user.',
  examples: ['The lesson of 2 March was not counted.'],
});

/** The actor that the log names, in an answer. */
export const actor = nullableText.meta({
  description:
    'The id of the API key that did it; `environment`: the key of LAUREL_API_KEY; `local`: the local socket; `start`: a start of the service; null: a release that did not record it.',
});

/** The actor, and the reason if one was given. */
export const attributionOf = (by: string, given: string | null | undefined): Attribution => ({
  by,
  ...(typeof given === 'string' && { reason: given }),
});
