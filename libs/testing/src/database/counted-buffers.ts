import type { SqlReader } from '@laurel/contracts';

interface Explained {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: Record<'Shared Hit Blocks' | 'Shared Read Blocks', number> }];
}

/** Reads as the given one does, and counts the shared buffers that the reads touch. */
export class CountedBuffers implements SqlReader {
  readonly #sql: SqlReader;
  buffers = 0;

  constructor(sql: SqlReader) {
    this.#sql = sql;
  }

  async query<R extends object>(sql: string, parameters: readonly unknown[]): Promise<R[]> {
    const explained = await this.#sql.query<Explained>(`explain (analyze, buffers, format json) ${sql}`, parameters);
    const { Plan: plan } = explained[0]!['QUERY PLAN'][0];
    this.buffers += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    return this.#sql.query(sql, parameters);
  }
}
