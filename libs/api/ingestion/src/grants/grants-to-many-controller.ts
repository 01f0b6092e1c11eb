import { Controller, Inject, Req } from '@nestjs/common';
import {
  type GrantToManyAnswer,
  type RestoreStreaksAnswer,
  type StreakFreezesAnswer,
  operations,
} from '@laurel/schemas';
import { Caller, Route } from '@laurel/runtime';
import type { FastifyRequest } from 'fastify';
import { INGESTION_PORTS, type IngestionPorts } from '../ports.ts';
import { giveFreezes, grantToMany, restoreStreaks } from './grant-to-many.ts';

/** What is given to many users at once: 200, with what is wrong with single ones in the answer. */
@Controller()
export class GrantsToManyController {
  readonly #ports: IngestionPorts;

  constructor(@Inject(INGESTION_PORTS) ports: IngestionPorts) {
    this.#ports = ports;
  }

  @Route(operations.grantToMany)
  grants(@Caller() by: string, @Req() request: FastifyRequest): Promise<GrantToManyAnswer> {
    return grantToMany(this.#ports, by, request);
  }

  @Route(operations.createStreakFreezes)
  freezes(@Caller() by: string, @Req() request: FastifyRequest): Promise<StreakFreezesAnswer> {
    return giveFreezes(this.#ports, by, request);
  }

  @Route(operations.restoreStreaks)
  restore(@Caller() by: string, @Req() request: FastifyRequest): Promise<RestoreStreaksAnswer> {
    return restoreStreaks(this.#ports, by, request);
  }
}
