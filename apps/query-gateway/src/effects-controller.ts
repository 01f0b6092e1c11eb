import { TOPICS } from '@laurel/ports';
import { PARTITION_HANDLER, type PartitionBatch, type PartitionHandler } from '@laurel/event-stream';
import { Controller, Inject } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';

/** The effects of the services, for requests that wait for the answer to an event. */
@Controller()
export class EffectsController {
  readonly #pendingAnswer: PartitionHandler;

  constructor(@Inject(PARTITION_HANDLER) pendingAnswer: PartitionHandler) {
    this.#pendingAnswer = pendingAnswer;
  }

  /** @returns the offset to continue with */
  @EventPattern(TOPICS.effects)
  onBatch(@Payload() batch: PartitionBatch): Promise<number> {
    return this.#pendingAnswer.onBatch(batch);
  }
}
