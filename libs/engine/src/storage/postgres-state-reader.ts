import type { SqlReader, StateReader } from '@laurel/kernel';

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
      // A join looks up one subject at a time by the right index; with `= any`, the planner takes the primary key
      // instead.
      `select s.subject, s.${area} as state from unnest($2::bigint[]) as asked (subject) join user_states s using (subject)
       where s.account = $1 and s.${area} is not null`,
      [account, subjects],
    );
    return new Map(rows.map(({ subject, state }) => [Number(subject), state]));
  },
});
