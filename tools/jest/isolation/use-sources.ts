import { ApiKeyEntity } from '@laurel/database';
import { OPERATIONS, problem } from '@laurel/schemas';
import { Column, Entity, getMetadataArgsStorage } from 'typeorm';
import { z } from 'zod';

const loaded = OPERATIONS as unknown as { files?: number };

/** Two test files call this with the sources of libraries, of which the process loads only one copy. */
export function useSources(): void {
  it('has the copy of the files before it', () => {
    loaded.files = (loaded.files ?? 0) + 1;
    process.stderr.write(`file ${loaded.files} with this copy\n`);
  });

  it('finds the schemas by the ids that they were given when they were loaded, and gives one', () => {
    const { schemas } = z.toJSONSchema(z.globalRegistry, { unrepresentable: 'any' });
    expect(schemas).toMatchObject({ Problem: { type: 'object' } });
    expect(schemas).not.toHaveProperty('leaked');
    expect(z.toJSONSchema(z.array(problem)).items).toEqual({ $ref: '#/$defs/Problem' });
    z.string().meta({ id: 'leaked' });
    z.string().meta({ id: 'Problem' });
  });

  it('finds each entity once, and declares one', () => {
    const { tables, columns } = getMetadataArgsStorage();
    expect(tables.filter(({ target }) => target === ApiKeyEntity)).toHaveLength(1);
    expect(columns.filter(({ target }) => target === ApiKeyEntity).length).toBeGreaterThan(3);
    expect(tables.filter(({ name }) => name === 'leaked')).toEqual([]);
    class Leaked {}
    Entity({ name: 'leaked' })(Leaked);
    Column({ type: 'text' })(Leaked.prototype, 'leaked');
  });
}
