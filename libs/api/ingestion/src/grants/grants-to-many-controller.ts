import { Controller, HttpCode, Inject, Post, Req } from '@nestjs/common';
import type { GrantToManyAnswer, RestoreStreaksAnswer, StreakFreezesAnswer } from '@laurel/schemas';
import { Caller, RequiresScope } from '@laurel/runtime';
import type { FastifyRequest } from 'fastify';
import { INGESTION_PORTS, type IngestionPorts } from '../ports.ts';
import { giveFreezes, grantToMany, restoreStreaks } from './grant-to-many.ts';

/** What is given to many users at once: 200, with what is wrong with single ones in the answer. */
@Controller('admin/v1')
export class GrantsToManyController {
  readonly #ports: IngestionPorts;

  constructor(@Inject(INGESTION_PORTS) ports: IngestionPorts) {
    this.#ports = ports;
  }

  @Post('grants')
  @HttpCode(200)
  @RequiresScope(['support', 'admin'])
  grants(@Caller() by: string, @Req() request: FastifyRequest): Promise<GrantToManyAnswer> {
    return grantToMany(this.#ports, by, request);
  }

  @Post('streaks/freezes')
  @HttpCode(200)
  @RequiresScope(['support', 'admin'])
  freezes(@Caller() by: string, @Req() request: FastifyRequest): Promise<StreakFreezesAnswer> {
    return giveFreezes(this.#ports, by, request);
  }

  @Post('streaks/restore')
  @HttpCode(200)
  @RequiresScope(['support', 'admin'])
  restore(@Caller() by: string, @Req() request: FastifyRequest): Promise<RestoreStreaksAnswer> {
    return restoreStreaks(this.#ports, by, request);
  }
}
