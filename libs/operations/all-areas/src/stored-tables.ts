import { tablesOf } from '@laurel/kernel';
import { leaderboardTables } from '@laurel/leaderboards';
import { OUTGOING_TABLES } from '@laurel/outgoing';
import { USER_AREAS } from './user-areas.ts';

/** The tables that {@link MIGRATIONS} create; an operator's database may have others in the same schema. */
export const STORED_TABLES: readonly string[] = [
  'events',
  'log_head',
  'log_chain',
  'log_checkpoints',
  'copied_events',
  'copied_head',
  'decided_requests',
  'subjects',
  'attribute_keys',
  'user_states',
  'area_checkpoints',
  'area_inbox',
  'due_marks',
  'api_keys',
  'environment_keys',
  'console_sessions',
  'console_links',
  'webhook_endpoints',
  'webhook_deliveries',
  'configuration_files',
  'configuration_texts',
  ...OUTGOING_TABLES,
  ...tablesOf([...USER_AREAS, { tables: leaderboardTables }]).map(({ name }) => name),
];
