import type { SqlReader } from '@laurel/kernel';
import { advisoryLockOf } from './advisory-lock.ts';

/** The advisory lock that each member of a service's consumer group holds, shared, while it is a member. */
export const membershipLockOf = (service: string): string => advisoryLockOf(`member of ${service}`);

/** Postgres lists an advisory lock on a bigint as two halves. */
const COUNT_HOLDERS = `
select wanted.key::text as key, count(l.pid)::int as members
from unnest($1::bigint[]) as wanted (key)
left join pg_locks l on l.locktype = 'advisory' and l.granted and l.objsubid = 1
  and l.database = (select oid from pg_database where datname = current_database())
  and l.classid::bigint = (wanted.key >> 32) & 4294967295 and l.objid::bigint = wanted.key & 4294967295
group by wanted.key`;

/** The number of members in the consumer group of each service, by name. Processes of older releases are not counted. */
export async function countMembers(sql: SqlReader, services: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const names = new Map(services.map((service) => [membershipLockOf(service), service]));
  const rows = await sql.query<{ key: string; members: number }>(COUNT_HOLDERS, [[...names.keys()]]);
  return new Map(rows.map(({ key, members }) => [names.get(key) ?? key, members]));
}
