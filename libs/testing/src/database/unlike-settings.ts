/**
 * For each setting, a value that Laurel cannot work with, or one by which a test recognizes that Laurel did not change
 * the setting.
 */
const UNLIKE: Readonly<Record<string, string>> = {
  client_encoding: 'LATIN1',
  DateStyle: 'SQL, DMY',
  IntervalStyle: 'iso_8601',
  TimeZone: 'Asia/Kathmandu',
  timezone_abbreviations: 'India',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  xmlbinary: 'hex',
  xmloption: 'document',
  lc_monetary: 'C.UTF-8',
  lc_numeric: 'C.UTF-8',
  lc_time: 'C.UTF-8',
  array_nulls: 'off',
  standard_conforming_strings: 'off',
  backslash_quote: 'on',
  quote_all_identifiers: 'on',
  transform_null_equals: 'on',
  gin_fuzzy_search_limit: '5',
  client_min_messages: 'debug5',
  default_transaction_read_only: 'on',
  default_transaction_isolation: 'serializable',
  default_transaction_deferrable: 'on',
  row_security: 'off',
  session_replication_role: 'replica',
  restrict_nonsystem_relation_kind: 'view',
  synchronous_commit: 'off',
  statement_timeout: '1234',
  transaction_timeout: '1234567',
  lock_timeout: '1',
  idle_in_transaction_session_timeout: '1',
  idle_session_timeout: '1234',
  exit_on_error: 'on',
  plan_cache_mode: 'force_custom_plan',
  jit: 'on',
  debug_parallel_query: 'on',
  from_collapse_limit: '1',
  join_collapse_limit: '1',
};

/** A value of the setting that differs from Laurel's. */
export const unlikeOf = (name: string): string => UNLIKE[name] ?? 'off';
