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
   * Applies the areas of the step to each message, in order, and commits their rows.
   * @returns the offset to continue with; a failed batch is delivered again
   */
  @EventPattern(CHAIN_SERVICES.map(({ input }) => input))
  onBatch(@Payload() batch: PartitionBatch): Promise<number> {
    return this.#step.onBatch(batch);
  }
}
