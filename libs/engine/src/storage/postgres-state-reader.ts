import type { SqlReader, StateReader } from '@laurel/contracts';

/** The committed states of users, one area's column at a time. */
export const postgresStateReader = (sql: SqlReader): StateReader => ({
  async read(account, subject, area) {
    const [row] = await sql.query<{ state: unknown }>(
      `select ${area} as state from user_states where account = $1 and subject = $2`,
      [account, subject],
    );
    return row?.state ?? null;
  },

  async readAll(account, subjects, area) {
    const rows = await sql.query<{ subject: string; state: unknown }>(
      `select subject, ${area} as state from user_states
       where account = $1 and subject = any($2::bigint[]) and ${area} is not null`,
      [account, subjects],
    );
    return new Map(rows.map(({ subject, state }) => [Number(subject), state]));
  },
});
