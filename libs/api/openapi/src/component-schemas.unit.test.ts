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

  it('is written once for each direction, however often it is used', () => {
    const schemas = new ComponentSchemas();
    const schema = z.object({ key: z.string().default('a') });
    expect(schemas.add(schema, 'output')).toBe(schemas.add(schema, 'output'));
    expect(schemas.add(schema, 'input')).toBe(schemas.add(schema, 'input'));
    expect(schemas.add(schema, 'input')).not.toEqual(schemas.add(schema, 'output'));
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
    expect(written(z.iso.datetime())).toEqual({ type: 'string', format: 'date-time' });
    expect(written(z.string().regex(/^x$/))).toEqual({ type: 'string', pattern: '^x$' });
    expect(written(z.enum(['a', 'b']).nullable())).toEqual({
      anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }],
    });
  });

  it('says how large its numbers may be', () => {
    expect(written(z.number())).toEqual({ type: 'number', format: 'double' });
    expect(written(z.number().nullable())).toEqual({ type: ['number', 'null'], format: 'double' });
    expect(written(z.number().multipleOf(1).meta({ type: 'integer' }))).toEqual({ type: 'integer', format: 'int64' });
  });

  it('bounds integers only where the bound means something', () => {
    const integer = { type: 'integer', format: 'int64' };
    expect(written(z.number().int())).toEqual(integer);
    expect(written(z.number().int().min(0).max(366))).toEqual({ ...integer, minimum: 0, maximum: 366 });
  });

  it('has constants of texts alone', () => {
    expect(written(z.literal('active'))).toEqual({ type: 'string', const: 'active' });
    expect(written(z.literal(true))).toEqual({ type: 'boolean' });
  });

  it('is a list of a length without a boolean for what follows', () => {
    const { items, ...rest } = written(z.tuple([z.string(), z.boolean()]));
    expect(items).toEqual({});
    expect(rest).toEqual({
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'boolean' }],
      minItems: 2,
      maxItems: 2,
    });
  });

  it('is closed to other fields where they are refused, in requests alone', () => {
    const schema = z.strictObject({ a: z.string() });
    expect(written(schema, 'input').additionalProperties).toBe(false);
    expect(written(z.object({ a: z.string() }), 'input').additionalProperties).toBeUndefined();
    expect(written(schema, 'output').additionalProperties).toBeUndefined();
  });

  it('is a list that can hold nothing where nothing fits its items', () => {
    expect(written(z.array(z.never()))).toEqual({ type: 'array', items: {}, maxItems: 0 });
  });

  it('takes fields that are not described, and leaves what goes in optional where it has a default', () => {
    const schema = z.object({ limit: z.number().default(10) });
    expect(written(schema, 'output')).toEqual({
      type: 'object',
      properties: { limit: { type: 'number', format: 'double', default: 10 } },
      required: ['limit'],
    });
    expect(written(schema, 'input').required).toBeUndefined();
  });
});
