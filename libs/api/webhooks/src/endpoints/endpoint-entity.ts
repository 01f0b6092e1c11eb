import type { WebhookEndpointEntity } from '@laurel/database';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Secret } from '../secrets/signing.ts';
import type { Endpoint } from './endpoints.ts';

/** The row of an endpoint. */
export function entityOf(endpoint: Endpoint, box: SecretBox): WebhookEndpointEntity {
  const { id, types, failingSince, lastSuccessAt, replay } = endpoint;
  return {
    account: endpoint.account,
    id,
    url: endpoint.url,
    description: endpoint.description,
    types: types && [...types],
    ordering: endpoint.ordering,
    trophySignature: endpoint.trophySignature,
    disabledBecause: endpoint.disabledBecause,
    minimumInterval: endpoint.minimumInterval,
    secrets: box.seal(JSON.stringify(endpoint.secrets), id),
    stateSince: new Date(endpoint.stateSince),
    failingSince: failingSince === null ? null : new Date(failingSince),
    lastSuccessAt: lastSuccessAt === null ? null : new Date(lastSuccessAt),
    taken: String(endpoint.taken),
    replayed: replay && String(replay.from),
    replayTo: replay && String(replay.to),
    replayTypes: replay?.types ? [...replay.types] : null,
    createdAt: new Date(endpoint.createdAt),
    createdBy: endpoint.createdBy,
  };
}

/** The endpoint of a row. It has no secrets if the box cannot open them. */
export function endpointOf(entity: WebhookEndpointEntity, box: SecretBox): Endpoint {
  const { id, replayed, replayTo } = entity;
  const secrets = box.open(entity.secrets, id);
  return {
    account: entity.account,
    id,
    url: entity.url,
    description: entity.description,
    types: entity.types,
    trophySignature: entity.trophySignature,
    disabledBecause: entity.disabledBecause,
    createdBy: entity.createdBy,
    minimumInterval: entity.minimumInterval,
    ordering: entity.ordering === 'strict' ? 'strict' : 'user',
    secrets: secrets === null ? [] : (JSON.parse(secrets) as Secret[]),
    stateSince: entity.stateSince.getTime(),
    failingSince: entity.failingSince?.getTime() ?? null,
    lastSuccessAt: entity.lastSuccessAt?.getTime() ?? null,
    taken: Number(entity.taken),
    replay:
      replayed === null || replayTo === null
        ? null
        : { from: Number(replayed), to: Number(replayTo), types: entity.replayTypes },
    createdAt: entity.createdAt.getTime(),
  };
}
