import pg from 'pg';

export interface Asked {
  readonly text: string;
  readonly values: readonly unknown[];
}

type Query = (query: string | Asked, values?: readonly unknown[], ...rest: readonly unknown[]) => unknown;

/** The statements that the process sends to its database while `task` runs. */
export async function statementsOf(task: () => Promise<unknown>): Promise<readonly Asked[]> {
  const client = pg.Client.prototype as unknown as { query: Query };
  const { query } = client;
  const asked: Asked[] = [];
  client.query = function (this: unknown, statement, values, ...rest) {
    const text = typeof statement === 'string' ? statement : statement.text;
    const given = typeof statement === 'string' ? values : (statement.values ?? values);
    asked.push({ text, values: Array.isArray(given) ? given : [] });
    return query.call(this, statement, values, ...rest);
  };
  try {
    await task();
  } finally {
    client.query = query;
  }
  return asked;
}
