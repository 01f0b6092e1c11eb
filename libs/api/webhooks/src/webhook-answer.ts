import { formatInstant, type Instant } from '@laurel/calendar';
import type { WebhookAnswer, WebhookStatus } from '@laurel/schemas';
import type { DeliveryProgress } from './delivery/delivery.ts';
import { NO_PROGRESS } from './delivery/endpoint-progress.ts';
import { rotatedUntil, type Endpoint } from './endpoints/endpoints.ts';

interface ShownAt {
  /** The sequence of the newest outcome. */
  readonly newest: number;
  readonly progress: DeliveryProgress | undefined;
  readonly madeTypes: () => ReadonlySet<string>;
  readonly now: Instant;
}

export function webhookAnswer(endpoint: Endpoint, { newest, progress, madeTypes, now }: ShownAt): WebhookAnswer {
  const { types, disabledBecause } = endpoint;
  const { unfinished, heldBack, abandoned, oldestAt } = progress ?? NO_PROGRESS;
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    types: types && [...types],
    ordering: endpoint.ordering,
    trophySignature: endpoint.trophySignature,
    minimumInterval: endpoint.minimumInterval,
    state: disabledBecause === null ? 'enabled' : 'disabled',
    disabledBecause,
    stateSince: formatInstant(endpoint.stateSince),
    failingSince: instantOrNull(endpoint.failingSince),
    lastSuccessAt: instantOrNull(endpoint.lastSuccessAt),
    behind: Math.max(0, newest - endpoint.taken),
    unfinished,
    heldBack,
    abandoned,
    oldestAt: instantOrNull(oldestAt),
    replaying: endpoint.replay !== null,
    rotatedUntil: rotatedUntil(endpoint, now),
    createdAt: formatInstant(endpoint.createdAt),
    createdBy: endpoint.createdBy,
    warnings: warningsOf(types, madeTypes),
  };
}

function warningsOf(types: Endpoint['types'], madeTypes: () => ReadonlySet<string>): string[] {
  if (types === null) return [];
  const made = madeTypes();
  return types
    .filter((type) => !made.has(type))
    .map((type) => `${type} is among the types, but the configuration does not make it: name it in outgoing.events`);
}

const instantOrNull = (at: Instant | null): string | null => (at === null ? null : formatInstant(at));

export const statusOf = (webhook: WebhookAnswer): WebhookStatus => ({
  id: webhook.id,
  url: webhook.url,
  state: webhook.state,
  disabledBecause: webhook.disabledBecause,
  failingSince: webhook.failingSince,
  lastSuccessAt: webhook.lastSuccessAt,
  behind: webhook.behind,
  unfinished: webhook.unfinished,
  heldBack: webhook.heldBack,
  abandoned: webhook.abandoned,
  oldestAt: webhook.oldestAt,
  warnings: webhook.warnings,
});

export function presentSecret({ secrets }: Endpoint): string {
  const present = secrets.find(({ until }) => until === null);
  if (present === undefined) throw new Error('an endpoint has no secret');
  return present.secret;
}
