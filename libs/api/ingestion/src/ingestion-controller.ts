import type { Readable } from 'node:stream';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import { formatInstant } from '@laurel/calendar';
import {
  attributionOf,
  finishImportRequest,
  importRequest,
  type BatchAnswer,
  type CompletionAnswer,
  type FinishImportAnswer,
  type ImportAnswer,
  type OpenImportAnswer,
  type PreferencesAnswer,
  type UserAnswer,
  operations,
} from '@laurel/schemas';
import { type ApiCall, Call, hasLines, jsonBody, Route, valid, validBody } from '@laurel/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { completeAchievement } from './complete-achievement.ts';
import { INGESTION_PORTS, type IngestionPorts } from './ports.ts';
import { recordBatch } from './record-batch.ts';
import { recordEvent } from './record-event.ts';
import { recordStream } from './record-stream.ts';
import { identifyUser, updatePreferences, updateUser } from './user-requests.ts';

const BATCH_BODY_LIMIT = 8 * 1024 * 1024;

/**
 * Takes events, identifications, completions and imports. Without pipes, guards and interceptors, a controller makes
 * the event route no slower than a bare Fastify route (measured).
 */
@Controller()
export class IngestionController {
  readonly #ports: IngestionPorts;

  constructor(@Inject(INGESTION_PORTS) ports: IngestionPorts) {
    this.#ports = ports;
  }

  @Route(operations.recordMetricEvent, { alias: operations.recordApiMetricEvent })
  recordEvent(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return recordEvent(this.#ports, request, reply);
  }

  @Route(operations.identifyUser)
  identifyUser(@Call() call: ApiCall): Promise<UserAnswer> {
    return identifyUser(this.#ports, call);
  }

  @Route(operations.putUser)
  putUser(@Call() call: ApiCall<'id'>): Promise<UserAnswer> {
    return updateUser(this.#ports, call, 'create');
  }

  @Route(operations.updateUser)
  patchUser(@Call() call: ApiCall<'id'>): Promise<UserAnswer> {
    return updateUser(this.#ports, call, 'refuse');
  }

  @Route(operations.updateUserPreferences)
  patchPreferences(@Call() call: ApiCall<'id'>): Promise<PreferencesAnswer> {
    return updatePreferences(this.#ports, call);
  }

  @Route(operations.completeAchievement)
  completeAchievement(@Call() call: ApiCall<'key'>): Promise<CompletionAnswer> {
    return completeAchievement(this.#ports, call);
  }

  @Route(operations.recordBatch, { bodyLimit: BATCH_BODY_LIMIT })
  recordBatch(@Call() { request, reply }: ApiCall): Promise<BatchAnswer | Readable> {
    return hasLines(request) ? recordStream(this.#ports, request, reply) : recordBatch(this.#ports, request);
  }

  @Route(operations.openImport)
  async openImport(@Call() { account, by, request, reply }: ApiCall): Promise<ImportAnswer> {
    const { unboundedAwards = false, outgoing = false, reason } = validBody(importRequest, request);
    const options = { unboundedAwards, outgoing };
    const opened = await this.#ports.intake.openImport(account, options, attributionOf(by, reason));
    reply.code(opened.opened ? 201 : 200);
    return { ...opened };
  }

  @Route(operations.getOpenImport)
  async openedImport(@Call() { account }: ApiCall): Promise<OpenImportAnswer> {
    const progress = await this.#ports.intake.importProgress(account);
    if (progress === null) return { open: null };
    const { openedAt, attribution, unboundedAwards, outgoing, events, lastReceivedAt } = progress;
    return {
      open: {
        openedAt: formatInstant(openedAt),
        by: attribution.by ?? null,
        reason: attribution.reason ?? null,
        unboundedAwards,
        outgoing,
        events,
        lastReceivedAt: formatInstant(lastReceivedAt),
      },
    };
  }

  @Route(operations.finishImport)
  async finishImport(@Call() { account, by, request }: ApiCall): Promise<FinishImportAnswer> {
    const { reason } = valid(finishImportRequest, request.body === undefined ? {} : jsonBody(request));
    const { closed, pending } = await this.#ports.intake.finishImport(account, attributionOf(by, reason));
    return { closed, ...(pending && { pending: [...pending] }) };
  }
}
