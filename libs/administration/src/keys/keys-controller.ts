import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { ProblemError, problemOf, type ApiKeyAnswer, type NewApiKeyAnswer } from '@laurel/contracts';
import { Account, RequiresScope, jsonBody } from '@laurel/runtime';
import type { FastifyRequest } from 'fastify';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from '../ports.ts';
import { readNewKey } from './read-new-key.ts';

type KeyPorts = Pick<AdministrationPorts, 'keys' | 'clock' | 'logger'>;

/** The API keys of an account: made, listed, revoked. What lists them shows no key and no hash. */
@Controller('admin/v1/keys')
export class KeysController {
  readonly #ports: KeyPorts;

  constructor(@Inject(ADMINISTRATION_PORTS) ports: KeyPorts) {
    this.#ports = ports;
  }

  @Get()
  @RequiresScope('admin')
  async list(@Account() account: string): Promise<ApiKeyAnswer[]> {
    return [...(await this.#ports.keys.list(account))];
  }

  @Post()
  @HttpCode(201)
  @RequiresScope('admin')
  async create(@Account() account: string, @Req() request: FastifyRequest): Promise<NewApiKeyAnswer> {
    const { keys, clock, logger } = this.#ports;
    const created = await keys.create(account, readNewKey(jsonBody(request), clock.now()));
    const { id: keyId, label, scopes } = created;
    logger.info({ requestId: request.id, account, keyId, label, scopes }, 'API key made');
    return created;
  }

  @Delete(':id')
  @RequiresScope('admin')
  async revoke(
    @Account() account: string,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<ApiKeyAnswer> {
    const revoked = await this.#ports.keys.revoke(account, id);
    if (revoked === null) throw new ProblemError(problemOf('unknown_key', 'There is no key with this id.'));
    this.#ports.logger.info({ requestId: request.id, account, keyId: id, label: revoked.label }, 'API key revoked');
    return revoked;
  }
}
