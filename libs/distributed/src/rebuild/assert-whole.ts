import { writerOf } from '@laurel/contracts';
import { StartError } from '@laurel/database';
import type { EventStream } from '@laurel/event-stream';

/** A replay needs its input from the first message on: it would wait for those that were deleted. @throws StartError if any were */
export async function assertWhole(stream: Pick<EventStream, 'bounds'>, topic: string): Promise<void> {
  for (const [partition, { start }] of (await stream.bounds(topic)).entries())
    if (start > 0)
      throw new StartError(
        `messages before offset ${start} of partition ${partition} of ${topic} were deleted: run resend of ${writerOf(topic)} first`,
      );
}
