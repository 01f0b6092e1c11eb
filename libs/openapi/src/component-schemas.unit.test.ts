import { z } from 'zod';
import { ComponentSchemas } from './component-schemas.ts';

const written = (schema: z.ZodType, direction: 'input' | 'output' = 'output') =>
  new ComponentSchemas().add(schema, direction);

describe('a schema in the document', () => {
  it('is described once if it has a name, and referred to wherever it is used', () => {
    const schemas = new ComponentSchemas();
    const metric = z.object({ key: z.string() }).meta({ id: 'Metric', description: 'A metric.' });
    const own = metric.nullable().meta({ description: 'The user’s own.' });
    expect(schemas.add(z.array(metric), 'output')).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/Metric' },
    });
    expect(schemas.add(z.object({ own }), 'output').properties).toEqual({
      own: {
        anyOf: [{ $ref: '#/components/schemas/Metric' }, { type: 'null' }],
        description: 'The user’s own.',
      },
    });
    expect(schemas.all()).toEqual({
      Metric: { type: 'object', properties: { key: { type: 'string' } }, required: ['key'], description: 'A metric.' },
    });
  });

  it('cannot have the name of another that says something else', () => {
    const schemas = new ComponentSchemas();
    const other = z.object({ a: z.number() }).meta({ id: 'Other' });
    schemas.add(other, 'output');
    expect(() => schemas.add(z.array(other), 'input')).not.toThrow();
    z.globalRegistry.remove(other);
    const impostor = z.object({ a: z.boolean() }).meta({ id: 'Other' });
    expect(() => schemas.add(impostor, 'output')).toThrow('two schemas are named Other');
  });

  it('is a list of types where it may be null, and a format without the pattern that says the same', () => {
    expect(written(z.string().nullable())).toEqual({ type: ['string', 'null'] });
    expect(written(z.iso.date().nullable().meta({ description: 'A day.' }))).toEqual({
      type: ['string', 'null'],
      format: 'date',
      description: 'A day.',
    });
    expect(written(z.string().regex(/^x$/))).toEqual({ type: 'string', pattern: '^x$' });
    expect(written(z.enum(['a', 'b']).nullable())).toEqual({
      anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }],
    });
  });

  it('says that instants are in UTC', () => {
    expect(written(z.iso.datetime())).toEqual({ type: 'string', format: 'date-time', pattern: 'Z$' });
  });

  it('bounds integers only where the bound means something', () => {
    expect(written(z.number().int())).toEqual({ type: 'integer' });
    expect(written(z.number().int().min(0).max(366))).toEqual({ type: 'integer', minimum: 0, maximum: 366 });
  });

  it('is a list that can hold nothing where nothing fits its items', () => {
    expect(written(z.array(z.never()))).toEqual({ type: 'array', items: {}, maxItems: 0 });
  });

  it('takes fields that are not described, and leaves what goes in optional where it has a default', () => {
    const schema = z.object({ limit: z.number().default(10) });
    expect(written(schema, 'output')).toEqual({
      type: 'object',
      properties: { limit: { type: 'number', default: 10 } },
      required: ['limit'],
    });
    expect(written(schema, 'input').required).toBeUndefined();
  });
});
