import { Controller, Inject, Param, Query, Req } from '@nestjs/common';
import {
  ProblemError,
  attributionOf,
  problemOf,
  type ApiKeyAnswer,
  type NewApiKeyAnswer,
  operations,
} from '@laurel/schemas';
import { Account, Caller, jsonBody, Route } from '@laurel/runtime';
import type { FastifyRequest } from 'fastify';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from '../ports.ts';
import { readNewKey, readReason } from './read-new-key.ts';

type KeyPorts = Pick<AdministrationPorts, 'keys' | 'clock' | 'logger'>;

/** Creates, lists and revokes the API keys of an account. The list shows no key and no hash. */
@Controller()
export class KeysController {
  readonly #ports: KeyPorts;

  constructor(@Inject(ADMINISTRATION_PORTS) ports: KeyPorts) {
    this.#ports = ports;
  }

  @Route(operations.listKeys)
  async list(@Account() account: string): Promise<ApiKeyAnswer[]> {
    return [...(await this.#ports.keys.list(account))];
  }

  @Route(operations.createKey)
  async create(
    @Account() account: string,
    @Caller() by: string,
    @Req() request: FastifyRequest,
  ): Promise<NewApiKeyAnswer> {
    const { keys, clock, logger } = this.#ports;
    const { reason, ...asked } = readNewKey(jsonBody(request), clock.now());
    const attribution = attributionOf(by, reason);
    const created = await keys.create(account, asked, attribution);
    const { id: keyId, label, scopes } = created;
    logger.info({ requestId: request.id, account, keyId, label, scopes, ...attribution }, 'API key made');
    return created;
  }

  @Route(operations.revokeKey)
  async revoke(
    @Account() account: string,
    @Caller() by: string,
    @Param('id') id: string,
    @Query() query: Readonly<Record<string, unknown>>,
    @Req() request: FastifyRequest,
  ): Promise<ApiKeyAnswer> {
    const { keys, logger } = this.#ports;
    const attribution = attributionOf(by, readReason(query));
    const revoked = await keys.revoke(account, id, attribution);
    if (revoked === null) throw new ProblemError(problemOf('unknown_key', 'There is no key with this id.'));
    const about = { requestId: request.id, account, keyId: id, label: revoked.label };
    logger.info({ ...about, ...attribution }, 'API key revoked');
    return revoked;
  }
}
