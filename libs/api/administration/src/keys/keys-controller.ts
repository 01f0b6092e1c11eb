import { Controller, Inject } from '@nestjs/common';
import {
  ProblemError,
  attributionOf,
  problemOf,
  revokeKeyQuery,
  type ApiKeyAnswer,
  type NewApiKeyAnswer,
  operations,
} from '@laurel/schemas';
import { type ApiCall, Call, jsonBody, Route, valid } from '@laurel/runtime';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from '../ports.ts';
import { readNewKey } from './read-new-key.ts';

type KeyPorts = Pick<AdministrationPorts, 'keys' | 'clock' | 'logger'>;

/** Creates, lists and revokes the API keys of an account. The list contains neither keys nor hashes. */
@Controller()
export class KeysController {
  readonly #ports: KeyPorts;

  constructor(@Inject(ADMINISTRATION_PORTS) ports: KeyPorts) {
    this.#ports = ports;
  }

  @Route(operations.listKeys)
  async list(@Call() { account }: ApiCall): Promise<ApiKeyAnswer[]> {
    return [...(await this.#ports.keys.list(account))];
  }

  @Route(operations.createKey)
  async create(@Call() { account, by, request }: ApiCall): Promise<NewApiKeyAnswer> {
    const { keys, clock, logger } = this.#ports;
    const { reason, ...newKey } = readNewKey(jsonBody(request), clock.now());
    const attribution = attributionOf(by, reason);
    const created = await keys.create(account, newKey, attribution);
    const { id: keyId, label, scopes } = created;
    logger.info({ requestId: request.id, account, keyId, label, scopes, ...attribution }, 'API key created');
    return created;
  }

  @Route(operations.revokeKey)
  async revoke(@Call() { account, by, path: { id }, query, request }: ApiCall<'id'>): Promise<ApiKeyAnswer> {
    const { keys, logger } = this.#ports;
    const attribution = attributionOf(by, valid(revokeKeyQuery, query).reason);
    const revoked = await keys.revoke(account, id, attribution);
    if (revoked === null) throw new ProblemError(problemOf('unknown_key', 'There is no key with this id.'));
    const { label } = revoked;
    logger.info({ requestId: request.id, account, keyId: id, label, ...attribution }, 'API key revoked');
    return revoked;
  }
}
