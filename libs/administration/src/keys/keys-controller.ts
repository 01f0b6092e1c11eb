import { Controller, Delete, Get, HttpCode, Inject, Param, Post, Req } from '@nestjs/common';
import { ProblemError, problemOf, type ApiKeyAnswer, type NewApiKeyAnswer } from '@laurel/contracts';
import { Account, RequiresScope, jsonBody } from '@laurel/runtime';
import type { FastifyRequest } from 'fastify';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from '../ports.ts';
import { readNewKey } from './read-new-key.ts';

/** The API keys of an account: made, listed, revoked. What lists them shows no key and no hash. */
@Controller('admin/v1/keys')
export class KeysController {
  readonly #ports: Pick<AdministrationPorts, 'keys' | 'clock'>;

  constructor(@Inject(ADMINISTRATION_PORTS) ports: Pick<AdministrationPorts, 'keys' | 'clock'>) {
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
  create(@Account() account: string, @Req() request: FastifyRequest): Promise<NewApiKeyAnswer> {
    return this.#ports.keys.create(account, readNewKey(jsonBody(request), this.#ports.clock.now()));
  }

  @Delete(':id')
  @RequiresScope('admin')
  async revoke(@Account() account: string, @Param('id') id: string): Promise<ApiKeyAnswer> {
    const revoked = await this.#ports.keys.revoke(account, id);
    if (revoked === null) throw new ProblemError(problemOf('unknown_key', 'There is no key with this id.'));
    return revoked;
  }
}
