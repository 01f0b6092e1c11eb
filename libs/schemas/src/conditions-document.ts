import type { WrittenConditions } from '@laurel/kernel';
import { z } from 'zod';
import { text } from './configuration-fields.ts';

/** The most attributes of an event, or of a user, that an entry can require. */
export const MOST_CONDITIONS = 5;
const MOST_VALUES = 50;

const attributeKey = text(1, 255);
const value = text(0, 1024);

const attributes = (whose: string) =>
  z
    .record(attributeKey, z.union([z.array(value).min(1).max(MOST_VALUES), value]))
    .meta({ minProperties: 1, maxProperties: MOST_CONDITIONS })
    .describe(
      `Attributes of the ${whose}, up to ${MOST_CONDITIONS}: for each key a value, or a list of values of which one must match. All keys must match; an absent attribute matches nothing.`,
    );

const OF = { event: attributes('event').optional(), user: attributes('user').optional() };

/** The conditions of an entry that can depend on these. Rules over the whole document count the attributes. */
export const conditions = (on: readonly (keyof WrittenConditions)[]): z.ZodType<WrittenConditions> =>
  z.strictObject(Object.fromEntries(on.map((name) => [name, OF[name]]))).meta({ minProperties: 1 }) as never;

const declared = (whose: string) =>
  z.array(attributeKey).default([]).describe(`Keys of the attributes of ${whose} that conditions may name.`);

/** The attributes that conditions of the document may name. */
export const declaredAttributes = z
  .strictObject({ user: declared('users'), event: declared('events') })
  .describe(
    'The attributes that conditions may name, so that Laurel finds mistyped ones. Events and users can have any others. Without this field, conditions may name any attribute.',
  );
