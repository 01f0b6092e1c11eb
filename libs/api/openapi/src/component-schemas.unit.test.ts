import { z } from 'zod';
import { ComponentSchemas } from './component-schemas.ts';

const written = (schema: z.ZodType, direction: 'input' | 'output' = 'output') =>
  new ComponentSchemas().add(schema, direction);

describe('a schema in the API document', () => {
  it('is written once when it has a name, and referenced wherever it is used', () => {
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

  it('is written once for each direction, however often it is used', () => {
    const schemas = new ComponentSchemas();
    const schema = z.object({ key: z.string().default('a') });
    expect(schemas.add(schema, 'output')).toBe(schemas.add(schema, 'output'));
    expect(schemas.add(schema, 'input')).toBe(schemas.add(schema, 'input'));
    expect(schemas.add(schema, 'input')).not.toEqual(schemas.add(schema, 'output'));
  });

  it('cannot have the name of a different schema', () => {
    const schemas = new ComponentSchemas();
    const other = z.object({ a: z.number() }).meta({ id: 'Other' });
    schemas.add(other, 'output');
    expect(() => schemas.add(z.array(other), 'input')).not.toThrow();
    z.globalRegistry.remove(other);
    const impostor = z.object({ a: z.boolean() }).meta({ id: 'Other' });
    expect(() => schemas.add(impostor, 'output')).toThrow('two schemas are named Other');
  });

  it('lists null as a type and has a format instead of an equivalent pattern', () => {
    expect(written(z.string().nullable())).toEqual({ type: ['string', 'null'] });
    expect(written(z.iso.date().nullable().meta({ description: 'A day.' }))).toEqual({
      type: ['string', 'null'],
      format: 'date',
      description: 'A day.',
    });
    expect(written(z.iso.datetime())).toEqual({ type: 'string', format: 'date-time' });
    expect(written(z.string().regex(/^x$/))).toEqual({ type: 'string', pattern: '^x$' });
    expect(written(z.enum(['a', 'b']).nullable())).toEqual({
      anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }],
    });
  });

  it('declares the format of its numbers', () => {
    expect(written(z.number())).toEqual({ type: 'number', format: 'double' });
    expect(written(z.number().nullable())).toEqual({ type: ['number', 'null'], format: 'double' });
    expect(written(z.number().multipleOf(1).meta({ type: 'integer' }))).toEqual({ type: 'integer', format: 'int64' });
  });

  it('limits integers only where the limit is meaningful', () => {
    const integer = { type: 'integer', format: 'int64' };
    expect(written(z.number().int())).toEqual(integer);
    expect(written(z.number().int().min(0).max(366))).toEqual({ ...integer, minimum: 0, maximum: 366 });
  });

  it('uses const only for strings', () => {
    expect(written(z.literal('active'))).toEqual({ type: 'string', const: 'active' });
    expect(written(z.literal(true))).toEqual({ type: 'boolean' });
  });

  it('describes a tuple without a boolean for further items', () => {
    const { items, ...rest } = written(z.tuple([z.string(), z.boolean()]));
    expect(items).toEqual({});
    expect(rest).toEqual({
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'boolean' }],
      minItems: 2,
      maxItems: 2,
    });
  });

  it('forbids additional properties only in requests that refuse them', () => {
    const schema = z.strictObject({ a: z.string() });
    expect(written(schema, 'input').additionalProperties).toBe(false);
    expect(written(z.object({ a: z.string() }), 'input').additionalProperties).toBeUndefined();
    expect(written(schema, 'output').additionalProperties).toBeUndefined();
  });

  it('is an array with maxItems 0 when its items can never be valid', () => {
    expect(written(z.array(z.never()))).toEqual({ type: 'array', items: {}, maxItems: 0 });
  });

  it('permits additional properties in answers, and makes inputs with a default optional', () => {
    const schema = z.object({ limit: z.number().default(10) });
    expect(written(schema, 'output')).toEqual({
      type: 'object',
      properties: { limit: { type: 'number', format: 'double', default: 10 } },
      required: ['limit'],
    });
    expect(written(schema, 'input').required).toBeUndefined();
  });
});
