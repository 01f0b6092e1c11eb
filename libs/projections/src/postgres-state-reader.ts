import type { SqlReader, StateReader } from '@laurel/contracts';

/** The committed state of a user, one area's column at a time. */
export const postgresStateReader = (sql: SqlReader): StateReader => ({
  async read(account, userId, area) {
    const [row] = await sql.query<{ state: unknown }>(
      `select ${area} as state from user_states where account = $1 and user_id = $2`,
      [account, userId],
    );
    return row?.state ?? null;
  },
});
