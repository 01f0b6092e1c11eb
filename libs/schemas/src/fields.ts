import { z } from 'zod';
import { AREAS } from '@laurel/kernel';
import type { JsonNumber } from './write-json.ts';

export const date = z.iso.date().meta({ examples: ['2026-03-01'] });
/** An instant in UTC, with a `Z`. */
export const instant = z.iso.datetime().meta({ examples: ['2026-03-01T20:00:00.000Z'] });
export const uuid = z.string().meta({ format: 'uuid' });
/** A whole number that a double holds. */
export const whole = z.number().int();
export const count = whole.min(0);
export const nullableText = z.string().nullable();

/**
 * A number of an answer. In JSON and in the API's description it is a number; in memory it may be an exact one that
 * only `writeJson` can write, hence the type beside the schema.
 */
export const jsonNumber = z.number() as unknown as z.ZodType<JsonNumber>;
/** A whole number of any size; zod's `int` is limited to safe integers. */
export const jsonWhole = z.number().multipleOf(1).meta({ type: 'integer' }) as unknown as z.ZodType<JsonNumber>;

/** Required by current clients, always empty here. */
export const noUserAttributes = z.array(z.never()).meta({ description: 'Always empty.' });

/** null if the user was erased. */
export const userIdUnlessErased = z
  .string()
  .nullable()
  .meta({ description: 'The user; null: erased.', examples: ['ada'] });

export const nextCursor = nullableText.meta({
  description: 'Pass it as `cursor` for the next page; null: this is the last page.',
});

export const areaName = z.enum(AREAS).meta({ id: 'AreaName', description: 'An area, in the order of the chain.' });
export const logPosition = whole.meta({ description: 'A position of the event log; 0 is before its first record.' });
