import { Controller, Delete, Inject, Param, Query, Req } from '@nestjs/common';
import type { Erasure } from '@laurel/contracts';
import { Caller, principalOf, RequiresScope } from '@laurel/runtime';
import type { FastifyRequest } from 'fastify';
import { INGESTION_PORTS, type IngestionPorts } from '../ports.ts';
import { eraseUser } from './erase-user.ts';

/** A user's last request. */
@Controller('admin/v1/users/:id')
export class ErasingController {
  readonly #ports: IngestionPorts;

  constructor(@Inject(INGESTION_PORTS) ports: IngestionPorts) {
    this.#ports = ports;
  }

  @Delete()
  @RequiresScope('admin')
  erase(
    @Param('id') userId: string,
    @Caller() by: string,
    @Query() query: Readonly<Record<string, unknown>>,
    @Req() request: FastifyRequest,
  ): Promise<Erasure> {
    return eraseUser(this.#ports, { account: principalOf(request).account, userId, by }, query);
  }
}
