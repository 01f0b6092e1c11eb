import { Controller, Inject, Param, Query, Req } from '@nestjs/common';
import { type Erasure, operations } from '@laurel/schemas';
import { BySession, Caller, principalOf, Route } from '@laurel/runtime';
import type { FastifyRequest } from 'fastify';
import { BOUNDED_INGESTION_PORTS, INGESTION_PORTS, type BoundedIngestionPorts, type IngestionPorts } from '../ports.ts';
import { eraseUser } from './erase-user.ts';

/** A user's last request. */
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
  erase(
    @Param('id') userId: string,
    @Caller() by: string,
    @BySession() bySession: boolean,
    @Query() query: Readonly<Record<string, unknown>>,
    @Req() request: FastifyRequest,
  ): Promise<Erasure> {
    const ports = bySession ? this.#bounded : this.#ports;
    return eraseUser(ports, { account: principalOf(request).account, userId, by }, query);
  }
}
