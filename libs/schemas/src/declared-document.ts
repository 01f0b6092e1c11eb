import type { Field, Fields } from '@laurel/kernel';
import { z } from 'zod';
import { cap } from './caps-document.ts';
import { conditions } from './conditions-document.ts';
import { amount, instant, key, length, points } from './configuration-fields.ts';

/** The schemas of a declared kind's fields, as a document writes them. */
export const documentFields = (fields: Fields): Readonly<Record<string, z.ZodType>> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)]));

function fieldSchema(field: Field): z.ZodType {
  switch (field.holds) {
    case 'metric':
    case 'achievement':
      return key.describe(field.prose);
    case 'achievements':
      return z.array(key).min(1).describe(field.prose);
    case 'amount':
      return amount.describe(field.prose);
    case 'length':
      return length.describe(field.prose);
    case 'points':
      return points.describe(field.prose);
    case 'whole':
      return z.int().min(field.least).max(field.most).describe(field.prose);
    case 'choice':
      return z.enum([...field.of]).describe(field.prose);
    case 'optional instant':
      return instant.nullable().default(null).describe(field.prose);
    case 'optional cap':
      return cap.nullable().default(null).describe(field.prose);
    case 'optional conditions':
      return conditions(field.on).nullable().default(null).describe(field.prose);
  }
}
