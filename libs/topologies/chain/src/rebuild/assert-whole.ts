import { AREAS, type SqlReader } from '@laurel/kernel';
import { serviceOf, stepsOf, stepText, writerOf } from '@laurel/ports';
import { StartError } from '@laurel/database';
import type { EventStream } from '@laurel/event-stream';

/** A replay needs its input from the first message on. @throws StartError if messages were deleted */
export async function assertWhole(stream: Pick<EventStream, 'bounds'>, topic: string): Promise<void> {
  for (const [partition, { start }] of (await stream.bounds(topic)).entries())
    if (start > 0)
      throw new StartError(
        `messages before offset ${start} of partition ${partition} of ${topic} were deleted: run resend of ${writerOf(topic)} first`,
      );
}

const [FROM_THE_LOG] = stepsOf(AREAS.filter((area) => area !== serviceOf('leaderboards').areas[0]));

/**
 * Checks that the topic has all records. Records that were applied while the areas before and after the topic were one
 * step were never sent to it.
 * @param sql of the schema of the service that reads the topic
 * @throws StartError if records are missing
 */
export async function assertNoGap(sql: SqlReader, topic: string): Promise<void> {
  const [row] = await sql.query<{ gap: boolean | null }>('select bool_or(input_gap) as gap from area_versions', []);
  if (row?.gap && FROM_THE_LOG)
    throw new StartError(
      `${topic} lacks the records that were applied while no step wrote it: they can be applied again from the log alone. ` +
        `Run steps move with LAUREL_STEPS=${stepText(FROM_THE_LOG)}, then rebuild, then steps move back`,
    );
}
