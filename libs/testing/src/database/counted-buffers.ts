import type { SqlReader } from '@laurel/kernel';

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Node[];
}

interface Explained {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: Node }];
}

/** Reads like the given reader, and counts the shared buffers that the reads touch. */
export class CountedBuffers implements SqlReader {
  readonly #sql: SqlReader;
  /** Tables that were read by a sequential scan. */
  readonly scanned = new Set<string>();
  buffers = 0;

  constructor(sql: SqlReader) {
    this.#sql = sql;
  }

  async query<R extends object>(sql: string, parameters: readonly unknown[]): Promise<R[]> {
    const explained = await this.#sql.query<Explained>(`explain (analyze, buffers, format json) ${sql}`, parameters);
    const { Plan: plan } = explained[0]!['QUERY PLAN'][0];
    this.buffers += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
    this.#noteScans(plan);
    return this.#sql.query(sql, parameters);
  }

  #noteScans({ 'Node Type': type, 'Relation Name': table, Plans: parts = [] }: Node): void {
    if (type === 'Seq Scan' && table !== undefined) this.scanned.add(table);
    for (const part of parts) this.#noteScans(part);
  }
}
