import type { Readable } from 'node:stream';
import { Controller, Get, HttpCode, Inject, Param, Patch, Post, Put, Req, Res } from '@nestjs/common';
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
} from '@laurel/schemas';
import { Account, Caller, hasLines, jsonBody, RequiresScope } from '@laurel/runtime';
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

  @Post(['api/metrics/:key/event', 'v1/metrics/:key/event'])
  @RequiresScope('ingest')
  recordEvent(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return recordEvent(this.#ports, request, reply);
  }

  @Post('v1/users')
  @RequiresScope('ingest')
  async identifyUser(
    @Account() account: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UserAnswer> {
    const { created, user } = await identifyUser(this.#ports, account, jsonBody(request));
    reply.code(created ? 201 : 200);
    return user;
  }

  @Put('v1/users/:id')
  @RequiresScope('ingest')
  putUser(@Account() account: string, @Param('id') id: string, @Req() request: FastifyRequest): Promise<UserAnswer> {
    return updateUser(this.#ports, account, id, jsonBody(request), 'create');
  }

  @Patch('v1/users/:id')
  @RequiresScope('ingest')
  patchUser(@Account() account: string, @Param('id') id: string, @Req() request: FastifyRequest): Promise<UserAnswer> {
    return updateUser(this.#ports, account, id, jsonBody(request), 'refuse');
  }

  @Patch('v1/users/:id/preferences')
  @RequiresScope('ingest')
  patchPreferences(
    @Account() account: string,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<PreferencesAnswer> {
    return updatePreferences(this.#ports, account, id, jsonBody(request));
  }

  @Post('v1/achievements/:key/complete')
  @RequiresScope('ingest')
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

  @Post('admin/v1/metrics/events')
  @HttpCode(200)
  @RequiresScope('admin', { bodyLimit: BATCH_BODY_LIMIT, takesLines: true })
  recordBatch(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<BatchAnswer | Readable> {
    return hasLines(request) ? recordStream(this.#ports, request, reply) : recordBatch(this.#ports, request);
  }

  @Post('admin/v1/imports')
  @RequiresScope('admin')
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

  @Get('admin/v1/imports')
  @RequiresScope('read')
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

  @Post('admin/v1/imports/finish')
  @HttpCode(200)
  @RequiresScope('admin')
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
