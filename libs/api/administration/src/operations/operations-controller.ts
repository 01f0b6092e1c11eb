import { Readable } from 'node:stream';
import { Controller, Inject, Param, Req, Res } from '@nestjs/common';
import {
  ProblemError,
  invalidRequest,
  problemOf,
  readRequest,
  rebuildRequest,
  type DigestAnswer,
  type RebuildAnswer,
  type ServiceStatus,
  operations,
} from '@laurel/schemas';
import { Account, jsonBody, Route } from '@laurel/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from '../ports.ts';

/** In the distributed topology. */
export const REBUILDS_ELSEWHERE = {
  path: 'areas',
  message: 'cannot be rebuilt from here: run `rebuild` of the service that owns them, to compare only with `--verify`',
};

/** How the process is, and its read models as a whole. */
@Controller()
export class OperationsController {
  readonly #ports: Pick<AdministrationPorts, 'operations' | 'rebuilds'>;

  constructor(@Inject(ADMINISTRATION_PORTS) ports: AdministrationPorts) {
    this.#ports = ports;
  }

  @Route(operations.getStatus)
  status(@Account() account: string): Promise<ServiceStatus> {
    return this.#ports.operations.status(account);
  }

  @Route(operations.getDigest)
  digest(@Account() account: string): Promise<DigestAnswer> {
    return this.#ports.operations.digest(account);
  }

  /** A stream: however many users there are, a page of them is in memory at a time. */
  @Route(operations.getState)
  state(@Account() account: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    void reply.header('content-type', 'application/json; charset=utf-8');
    // Fastify would read it all for HEAD, and not stop when the caller goes.
    if (request.method === 'HEAD') return void reply.send('');
    void reply.send(Readable.from(this.#ports.operations.state(account), { objectMode: false }));
  }

  @Route(operations.startRebuild)
  startRebuild(@Req() request: FastifyRequest): RebuildAnswer {
    const { data, errors } = readRequest(rebuildRequest, jsonBody(request));
    if (data === undefined || errors.length > 0) throw new ProblemError(invalidRequest(errors));
    const { rebuilds } = this.#ports;
    if (rebuilds === null) throw new ProblemError(invalidRequest([REBUILDS_ELSEWHERE]));
    return rebuilds.start(data.areas ?? [], data.verify ?? false);
  }

  @Route(operations.getRebuild)
  rebuild(@Param('id') id: string): RebuildAnswer {
    const found = this.#ports.rebuilds?.find(id);
    if (found) return found;
    throw new ProblemError(
      problemOf('unknown_rebuild', 'No rebuild with this id was begun since the service started.'),
    );
  }
}
