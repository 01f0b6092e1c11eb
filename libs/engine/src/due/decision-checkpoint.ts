import type { SqlReader } from '@laurel/kernel';
import type { DecisionCheckpoint } from './decision-recorder.ts';

/** Keeps the checkpoint beside the log. @param sql may write */
export const decisionCheckpoint = (sql: SqlReader): DecisionCheckpoint => ({
  read: async () => {
    const [row] = await sql.query<{ position: string }>('select position from decided_requests', []);
    return Number(row?.position ?? 0);
  },
  save: async (position) => {
    await sql.query('update decided_requests set position = $1 where position < $1', [position]);
  },
});
