import { Controller, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import type { BatchAnswer, EventAnswer, FinishImportAnswer } from '@laurel/contracts';
import { Account, RequiresScope } from '@laurel/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { INGESTION_PORTS, type IngestionPorts } from './ports.ts';
import { recordBatch } from './record-batch.ts';
import { recordEvent } from './record-event.ts';

const BATCH_BODY_LIMIT = 8 * 1024 * 1024;

/**
 * The doors through which events come in. Without pipes, guards and interceptors a controller costs the event route no more
 * than a bare Fastify route (measured: equal), so it is one.
 */
@Controller()
export class IngestionController {
  readonly #ports: IngestionPorts;

  constructor(@Inject(INGESTION_PORTS) ports: IngestionPorts) {
    this.#ports = ports;
  }

  @Post(['api/metrics/:key/event', 'v1/metrics/:key/event'])
  @RequiresScope('ingest')
  recordEvent(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<EventAnswer> {
    return recordEvent(this.#ports, request, reply);
  }

  @Post('admin/v1/metrics/events')
  @HttpCode(200)
  @RequiresScope('admin', { bodyLimit: BATCH_BODY_LIMIT })
  recordBatch(@Req() request: FastifyRequest): Promise<BatchAnswer> {
    return recordBatch(this.#ports, request);
  }

  @Post('admin/v1/imports/finish')
  @HttpCode(200)
  @RequiresScope('admin')
  finishImport(@Account() account: string): Promise<FinishImportAnswer> {
    return this.#ports.intake.finishImport(account);
  }
}
