import { stepText, type ChainStep } from '@laurel/ports';
import { randomBytes } from 'node:crypto';
import type pg from 'pg';

/**
 * Converts the checkpoints of the steps `from` into those of the steps `to`, in one transaction. Every step of `from` has applied its whole
 * input and runs nowhere. A service keeps the received numbers from when it became a part of a step, and continues with them as a step of its
 * own. A late commit of a frozen process is refused, because every checkpoint gets a new revision.
 */
export async function moveCheckpoints(
  client: Pick<pg.Client, 'query'>,
  from: readonly ChainStep[],
  to: readonly ChainStep[],
): Promise<void> {
  const [before, after] = [from.map(stepText), to.map(stepText)];
  const revision = `moved ${randomBytes(6).toString('base64url')}`;
  await client.query('begin');
  try {
    for (const step of from.filter((one) => !after.includes(stepText(one)))) await divide(client, step, revision);
    for (const step of to.filter((one) => !before.includes(stepText(one)))) await join(client, step, revision);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** Gives each service of a step its own checkpoint. */
async function divide(client: Pick<pg.Client, 'query'>, { services }: ChainStep, revision: string): Promise<void> {
  const [first = '', ...others] = services.map(({ schema }) => schema);
  for (const other of others) {
    await client.query(
      `update ${other}.area_versions set input_gap = input_gap or exists (
         select from ${first}.input_partitions f left join ${other}.input_partitions o using (partition)
         where f.position > coalesce(o.position, 0)
       )`,
    );
    await client.query(
      `insert into ${other}.input_partitions (partition, position, revision)
       select partition, position, $1 from ${first}.input_partitions
       on conflict (partition) do update set position = excluded.position, revision = excluded.revision`,
      [revision],
    );
  }
  await takeSent(client, first, others.at(-1) ?? first);
  for (const [place, next] of others.entries())
    // The steps are drained, so a partition has received all that was sent to it.
    await client.query(
      `update ${[first, ...others][place]}.input_partitions p
       set sent = coalesce((select received from ${next}.input_partitions n where n.partition = p.partition), '{}'), revision = $1`,
      [revision],
    );
}

/** The first service continues with the sent numbers of the last one. */
async function join(client: Pick<pg.Client, 'query'>, step: ChainStep, revision: string): Promise<void> {
  const schemas = step.services.map(({ schema }) => schema);
  await takeSent(client, schemas.at(-1) ?? '', schemas[0] ?? '');
  for (const schema of schemas) {
    await client.query(`update ${schema}.input_partitions set revision = $1`, [revision]);
    await client.query(`update ${schema}.area_versions set step = $1`, [stepText(step)]);
  }
}

async function takeSent(client: Pick<pg.Client, 'query'>, from: string, to: string): Promise<void> {
  if (from !== to)
    await client.query(
      `update ${to}.input_partitions p set sent = f.sent from ${from}.input_partitions f where f.partition = p.partition`,
    );
}
