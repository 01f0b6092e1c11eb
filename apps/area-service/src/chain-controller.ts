import { CHAIN_SERVICES } from '@laurel/ports';
import { PARTITION_HANDLER, type PartitionBatch, type PartitionHandler } from '@laurel/event-stream';
import { Controller, Inject } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';

/** The input of a step: the topic of its first service. */
@Controller()
export class ChainController {
  readonly #step: PartitionHandler;

  constructor(@Inject(PARTITION_HANDLER) step: PartitionHandler) {
    this.#step = step;
  }

  /**
   * Applies the areas of the step to each message, in order, and commits what they wrote.
   * @returns the offset to go on with; a failed batch comes again
   */
  @EventPattern(CHAIN_SERVICES.map(({ input }) => input))
  onBatch(@Payload() batch: PartitionBatch): Promise<number> {
    return this.#step.onBatch(batch);
  }
}
