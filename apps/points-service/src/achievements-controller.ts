import { PARTITION_HANDLER, type PartitionBatch, type PartitionHandler } from '@laurel/event-stream';
import { TOPICS } from '@laurel/ports';
import { Controller, Inject } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';

/** The input of the service: events with their effects on users, streaks and achievements. */
@Controller()
export class AchievementsController {
  readonly #step: PartitionHandler;

  constructor(@Inject(PARTITION_HANDLER) step: PartitionHandler) {
    this.#step = step;
  }

  /** Applies a batch and commits its rows. @returns the offset to continue with; a failed batch is delivered again */
  @EventPattern(TOPICS.achievements)
  onBatch(@Payload() batch: PartitionBatch): Promise<number> {
    return this.#step.onBatch(batch);
  }
}
