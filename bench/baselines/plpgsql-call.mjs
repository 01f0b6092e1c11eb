// One call of one function in the database for each request, in autocommit.
import { randomUUID } from 'node:crypto';
import { openSql } from './open-sql.mjs';

const RECORD = {
  name: 'record-event',
  text: 'select record_event($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as outcome',
};

export async function openPlpgsqlCall(options) {
  const { pool, state, close } = await openSql(options);
  return {
    record: async ({ user, metric, value, key, now }) => {
      const { id, name, email, tz, attributes } = user;
      const values = [id, name, email, tz, attributes ?? null, metric, value, key, randomUUID(), new Date(now)];
      const { rows } = await pool.query({ ...RECORD, values });
      return rows[0].outcome;
    },
    state,
    close,
  };
}
