import { Controller, Inject, Param, Req, Res } from '@nestjs/common';
import { type GrantAnswer, operations } from '@laurel/schemas';
import { Caller, Route } from '@laurel/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { INGESTION_PORTS, type IngestionPorts } from '../ports.ts';
import { ACHIEVEMENT, EXCUSED, FREEZES, giveGrant, type GrantKind, POINTS, REVOCATION, STREAK } from './give-grant.ts';

/** What is given to users by hand, or taken: 201, or 202 for a replay. */
@Controller()
export class GrantsController {
  readonly #ports: IngestionPorts;

  constructor(@Inject(INGESTION_PORTS) ports: IngestionPorts) {
    this.#ports = ports;
  }

  @Route(operations.grantPoints)
  points(
    @Param('id') userId: string,
    @Caller() by: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<GrantAnswer> {
    return this.#give(POINTS, { userId, by }, request, reply);
  }

  @Route(operations.grantFreezes)
  freezes(
    @Param('id') userId: string,
    @Caller() by: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<GrantAnswer> {
    return this.#give(FREEZES, { userId, by }, request, reply);
  }

  @Route(operations.restoreStreak)
  streak(
    @Param('id') userId: string,
    @Caller() by: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<GrantAnswer> {
    return this.#give(STREAK, { userId, by }, request, reply);
  }

  @Route(operations.excuseDays)
  excused(
    @Param('id') userId: string,
    @Caller() by: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<GrantAnswer> {
    return this.#give(EXCUSED, { userId, by }, request, reply);
  }

  @Route(operations.grantAchievement)
  achievement(
    @Param('id') userId: string,
    @Caller() by: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<GrantAnswer> {
    return this.#give(ACHIEVEMENT, { userId, by }, request, reply);
  }

  @Route(operations.revokeAchievement)
  revocation(
    @Param('id') userId: string,
    @Caller() by: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<GrantAnswer> {
    return this.#give(REVOCATION, { userId, by }, request, reply);
  }

  async #give<Schema extends z.ZodType<{ readonly reason: string }>>(
    kind: GrantKind<Schema>,
    asked: { readonly userId: string; readonly by: string },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<GrantAnswer> {
    const { first, answer } = await giveGrant(this.#ports, kind, asked, request);
    reply.code(first ? 201 : 202);
    return answer;
  }
}
