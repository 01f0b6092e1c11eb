import { Controller, Inject } from '@nestjs/common';
import { type Erasure, operations } from '@laurel/schemas';
import { type ApiCall, Call, Route } from '@laurel/runtime';
import { BOUNDED_INGESTION_PORTS, INGESTION_PORTS, type BoundedIngestionPorts, type IngestionPorts } from '../ports.ts';
import { eraseUser } from './erase-user.ts';

/** Erases users, and previews erasures. */
@Controller()
export class ErasingController {
  readonly #ports: IngestionPorts;
  readonly #bounded: BoundedIngestionPorts;

  constructor(
    @Inject(INGESTION_PORTS) ports: IngestionPorts,
    @Inject(BOUNDED_INGESTION_PORTS) bounded: BoundedIngestionPorts,
  ) {
    this.#ports = ports;
    this.#bounded = bounded;
  }

  @Route(operations.eraseUser)
  erase(@Call() call: ApiCall<'id'>): Promise<Erasure> {
    return eraseUser(call.bySession ? this.#bounded : this.#ports, call);
  }
}
