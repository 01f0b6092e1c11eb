/** Settings of sessions by their names in Postgres. */
export type Settings = Readonly<Record<string, string>>;

/**
 * Each session of each process and tool is set to this as soon as it is connected, whatever the server, the database and the role
 * say: values are read and written in these forms, and statements mean what they say. Postgres names the settings so; one that a
 * version does not know is left out. Of several values the first is set if the session has none of them.
 */
export const SESSION_SETTINGS: Readonly<Record<string, string | readonly string[]>> = {
  // How values are read and written.
  client_encoding: 'UTF8',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  timezone_abbreviations: 'Default',
  bytea_output: 'hex',
  extra_float_digits: '1',
  xmlbinary: 'base64',
  xmloption: 'content',
  lc_monetary: 'C',
  lc_numeric: 'C',
  lc_time: 'C',
  array_nulls: 'on',
  standard_conforming_strings: 'on',
  backslash_quote: 'safe_encoding',
  quote_all_identifiers: 'off',
  transform_null_equals: 'off',
  gin_fuzzy_search_limit: '0',
  client_min_messages: ['notice', 'warning', 'error'],
  // What a transaction may do, and what it sees.
  default_transaction_read_only: 'off',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  row_security: 'on',
  session_replication_role: 'origin',
  default_table_access_method: 'heap',
  restrict_nonsystem_relation_kind: '',
  // An answered event is on the disk; a server may wait for its standbys as well.
  synchronous_commit: ['on', 'local', 'remote_write', 'remote_apply'],
  // Each pool and connection sets the limits that it means.
  statement_timeout: '0',
  transaction_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  exit_on_error: 'off',
  // Statements were measured with these plans.
  plan_cache_mode: 'auto',
  jit: 'off',
  debug_parallel_query: 'off',
  enable_bitmapscan: 'on',
  enable_hashagg: 'on',
  enable_hashjoin: 'on',
  enable_indexonlyscan: 'on',
  enable_indexscan: 'on',
  enable_material: 'on',
  enable_mergejoin: 'on',
  enable_nestloop: 'on',
  enable_seqscan: 'on',
  enable_sort: 'on',
  from_collapse_limit: '8',
  join_collapse_limit: '8',
};
