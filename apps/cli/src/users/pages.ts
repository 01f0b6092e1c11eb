/** As many as one request gives. */
const PAGE = 40;

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly next: string | null;
}

export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string;
}

/** The first `limit` rows of a list, a page at a time. A page may hold fewer rows than were asked for, also none. */
export async function* pages<Row>(
  limit: number,
  ask: (request: PageRequest) => Promise<Page<Row>>,
): AsyncGenerator<readonly Row[]> {
  let cursor: string | undefined;
  for (let left = limit; left > 0;) {
    const { rows, next } = await ask({ limit: Math.min(PAGE, left), ...(cursor !== undefined && { cursor }) });
    if (rows.length > 0) yield rows;
    if (next === null) return;
    left -= rows.length;
    cursor = next;
  }
}
