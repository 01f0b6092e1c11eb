import type { Readable } from 'node:stream';
import { Controller, Inject, Param, Req, Res } from '@nestjs/common';
import { formatInstant } from '@laurel/calendar';
import {
  attributionOf,
  finishImportRequest,
  importRequest,
  invalidRequest,
  ProblemError,
  readRequest,
  type BatchAnswer,
  type CompletionAnswer,
  type FinishImportAnswer,
  type ImportAnswer,
  type OpenImportAnswer,
  type PreferencesAnswer,
  type UserAnswer,
  operations,
} from '@laurel/schemas';
import { Account, Caller, hasLines, jsonBody, Route } from '@laurel/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { completeAchievement } from './complete-achievement.ts';
import { INGESTION_PORTS, type IngestionPorts } from './ports.ts';
import { recordBatch } from './record-batch.ts';
import { recordEvent } from './record-event.ts';
import { recordStream } from './record-stream.ts';
import { identifyUser, updatePreferences, updateUser } from './users-door.ts';

const BATCH_BODY_LIMIT = 8 * 1024 * 1024;

/**
 * The doors through which events, identifications and completions come in. Without pipes, guards and interceptors a controller
 * costs the event route no more than a bare Fastify route (measured: equal), so it is one.
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
  async identifyUser(
    @Account() account: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UserAnswer> {
    const { created, user } = await identifyUser(this.#ports, account, jsonBody(request));
    reply.code(created ? 201 : 200);
    return user;
  }

  @Route(operations.putUser)
  putUser(@Account() account: string, @Param('id') id: string, @Req() request: FastifyRequest): Promise<UserAnswer> {
    return updateUser(this.#ports, account, id, jsonBody(request), 'create');
  }

  @Route(operations.updateUser)
  patchUser(@Account() account: string, @Param('id') id: string, @Req() request: FastifyRequest): Promise<UserAnswer> {
    return updateUser(this.#ports, account, id, jsonBody(request), 'refuse');
  }

  @Route(operations.updateUserPreferences)
  patchPreferences(
    @Account() account: string,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<PreferencesAnswer> {
    return updatePreferences(this.#ports, account, id, jsonBody(request));
  }

  @Route(operations.completeAchievement)
  async completeAchievement(
    @Account() account: string,
    @Param('key') key: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CompletionAnswer> {
    const { first, answer } = await completeAchievement(this.#ports, account, key, jsonBody(request));
    reply.code(first ? 201 : 202);
    return answer;
  }

  @Route(operations.recordBatch, { bodyLimit: BATCH_BODY_LIMIT })
  recordBatch(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BatchAnswer | Readable> {
    return hasLines(request) ? recordStream(this.#ports, request, reply) : recordBatch(this.#ports, request);
  }

  @Route(operations.openImport)
  async openImport(
    @Account() account: string,
    @Caller() by: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ImportAnswer> {
    const { unboundedAwards = false, outgoing = false, reason } = bodyAs(importRequest, jsonBody(request));
    const options = { unboundedAwards, outgoing };
    const opened = await this.#ports.intake.openImport(account, options, attributionOf(by, reason));
    reply.code(opened.opened ? 201 : 200);
    return { ...opened };
  }

  @Route(operations.getOpenImport)
  async openedImport(@Account() account: string): Promise<OpenImportAnswer> {
    const progress = await this.#ports.intake.importProgress(account);
    if (progress === null) return { open: null };
    const { openedAt, attribution, unboundedAwards, outgoing, events, lastReceivedAt } = progress;
    return {
      open: {
        openedAt: formatInstant(openedAt),
        ...{ by: attribution.by ?? null, reason: attribution.reason ?? null },
        ...{ unboundedAwards, outgoing, events },
        lastReceivedAt: formatInstant(lastReceivedAt),
      },
    };
  }

  @Route(operations.finishImport)
  async finishImport(
    @Account() account: string,
    @Caller() by: string,
    @Req() request: FastifyRequest,
  ): Promise<FinishImportAnswer> {
    const { reason } = bodyAs(finishImportRequest, request.body === undefined ? {} : jsonBody(request));
    const { closed, pending } = await this.#ports.intake.finishImport(account, attributionOf(by, reason));
    return { closed, ...(pending && { pending: [...pending] }) };
  }
}

/** @throws ProblemError 422 with every problem */
function bodyAs<Schema extends z.ZodType>(schema: Schema, body: object): z.output<Schema> {
  const { data, errors } = readRequest(schema, body);
  if (data === undefined || errors.length > 0) throw new ProblemError(invalidRequest(errors));
  return data;
}
