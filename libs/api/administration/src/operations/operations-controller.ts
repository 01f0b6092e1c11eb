import { Readable } from 'node:stream';
import { Controller, Inject, Res } from '@nestjs/common';
import {
  ProblemError,
  invalidRequest,
  problemOf,
  rebuildRequest,
  type DigestAnswer,
  type RebuildAnswer,
  type ServiceStatus,
  operations,
} from '@laurel/schemas';
import { type ApiCall, Call, Route, validBody } from '@laurel/runtime';
import type { FastifyReply } from 'fastify';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from '../ports.ts';

/** The answer of the distributed topology. */
export const REBUILDS_ELSEWHERE = {
  path: 'areas',
  message: 'cannot be rebuilt from here: run `rebuild` of the service that owns them, to compare only with `--verify`',
};

/** The state of the process and of all read models. */
@Controller()
export class OperationsController {
  readonly #ports: Pick<AdministrationPorts, 'operations' | 'rebuilds'>;

  constructor(@Inject(ADMINISTRATION_PORTS) ports: AdministrationPorts) {
    this.#ports = ports;
  }

  @Route(operations.getStatus)
  status(@Call() { account }: ApiCall): Promise<ServiceStatus> {
    return this.#ports.operations.status(account);
  }

  @Route(operations.getDigest)
  digest(@Call() { account }: ApiCall): Promise<DigestAnswer> {
    return this.#ports.operations.digest(account);
  }

  /** Streams the state: one page of users is in memory at a time. */
  @Route(operations.getState)
  state(@Call() { account, request }: ApiCall, @Res() reply: FastifyReply): void {
    void reply.header('content-type', 'application/json; charset=utf-8');
    // For HEAD, Fastify would read the whole stream, and would not stop when the caller disconnects.
    if (request.method === 'HEAD') return void reply.send('');
    void reply.send(Readable.from(this.#ports.operations.state(account), { objectMode: false }));
  }

  @Route(operations.startRebuild)
  startRebuild(@Call() { request }: ApiCall): RebuildAnswer {
    const { areas = [], verify = false } = validBody(rebuildRequest, request);
    const { rebuilds } = this.#ports;
    if (rebuilds === null) throw new ProblemError(invalidRequest([REBUILDS_ELSEWHERE]));
    return rebuilds.start(areas, verify);
  }

  @Route(operations.getRebuild)
  rebuild(@Call() { path }: ApiCall<'id'>): RebuildAnswer {
    const found = this.#ports.rebuilds?.find(path.id);
    if (found) return found;
    throw new ProblemError(
      problemOf('unknown_rebuild', 'No rebuild with this id was begun since the service started.'),
    );
  }
}
