import type { SqlReader, StateReader } from '@laurel/contracts';

/** The committed state of a user, one area's column at a time. */
export const postgresStateReader = (sql: SqlReader): StateReader => ({
  async read(account, subject, area) {
    const [row] = await sql.query<{ state: unknown }>(
      `select ${area} as state from user_states where account = $1 and subject = $2`,
      [account, subject],
    );
    return row?.state ?? null;
  },
});
