import { Controller, Inject } from '@nestjs/common';
import { operations, type RefundAnswer, type SpendAnswer } from '@laurel/schemas';
import { type ApiCall, Call, Route } from '@laurel/runtime';
import { INGESTION_PORTS, type IngestionPorts } from '../ports.ts';
import { refundSpend, spendPoints } from './spend-points.ts';

/** Takes points that a user spends, and gives them back. Answers 201, or 202 for a replay. */
@Controller()
export class SpendsController {
  readonly #ports: IngestionPorts;

  constructor(@Inject(INGESTION_PORTS) ports: IngestionPorts) {
    this.#ports = ports;
  }

  @Route(operations.spendPoints)
  spend(@Call() call: ApiCall<'id' | 'key'>): Promise<SpendAnswer> {
    return spendPoints(this.#ports, call);
  }

  @Route(operations.refundSpend)
  refund(@Call() call: ApiCall<'id' | 'key' | 'eventId'>): Promise<RefundAnswer> {
    return refundSpend(this.#ports, call);
  }
}
