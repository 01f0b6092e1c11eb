/** Settings of sessions by their names in Postgres. */
export type Settings = Readonly<Record<string, string>>;

/**
 * Each process and tool applies these settings to a new session, whatever the server, the database and the role say, so that values have
 * these forms and statements these meanings. The names are those of Postgres; a setting that a version does not know is skipped. If several
 * values are listed, the first is applied unless the session already has one of them.
 */
export const SESSION_SETTINGS: Readonly<Record<string, string | readonly string[]>> = {
  // The forms of values.
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
  // The rights and the isolation of transactions.
  default_transaction_read_only: 'off',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  row_security: 'on',
  session_replication_role: 'origin',
  default_table_access_method: 'heap',
  restrict_nonsystem_relation_kind: '',
  // An acknowledged event is on disk; a server may also wait for its standbys.
  synchronous_commit: ['on', 'local', 'remote_write', 'remote_apply'],
  // Each pool and connection sets its own limits.
  statement_timeout: '0',
  transaction_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  exit_on_error: 'off',
  // The statements were measured with these planner settings.
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
