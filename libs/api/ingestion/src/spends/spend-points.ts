import type {
  PointsRequest,
  Recorded,
  RecordedEvent,
  RefundRequested,
  Replayed,
  RequestPoints,
  SpendRequested,
  Subject,
} from '@laurel/kernel';
import { keyHashOf } from '@laurel/event-store';
import { type ApiCall, configured, jsonBody } from '@laurel/runtime';
import {
  invalidRequest,
  isUuid,
  knownUser,
  ProblemError,
  problemOf,
  readRequest,
  refundRequest,
  spendRequest,
  type ProblemItem,
  type RefundAnswer,
  type SpendAnswer,
} from '@laurel/schemas';
import type { z } from 'zod';
import { idempotencyHeader, type HeaderKey } from '../idempotency-header.ts';
import type { AnsweredPointsRequest, IngestionPorts, RecordedRequests } from '../ports.ts';
import { refusal } from '../refusals.ts';
import { outcomeOf } from '../submit-one.ts';

type SpendCall = ApiCall<'id' | 'key'>;
type RefundCall = ApiCall<'id' | 'key' | 'eventId'>;

/** `POST /v1/users/{id}/points/{key}/spend`: 201, 202 for a replay, or 422 `insufficient_points` (specification, section 6.12). */
export async function spendPoints(ports: IngestionPorts, call: SpendCall): Promise<SpendAnswer> {
  const { subject, system, read } = await prepared(ports, call, spendRequest);
  const { amount, reason, reference } = read.data;
  const command = requestOf(call.account, read.key, `spend:${system}`, (keyHash): SpendRequested => ({
    type: 'SpendRequested',
    subject,
    system,
    amount,
    keyHash,
    ...textsOf({ reason, reference }),
  }));
  const outcome = await submitted(ports, command, call.path.id);
  return ports.composeSpendAnswer(
    await answered(ports.requests, call, { command, outcome, idempotencyKey: read.key.key }),
  );
}

/** `POST /v1/users/{id}/points/{key}/spends/{eventId}/refund`: 201, 202, or 422 `already_refunded` (specification, section 6.12). */
export async function refundSpend(ports: IngestionPorts, call: RefundCall): Promise<RefundAnswer> {
  const { subject, system, read } = await prepared(ports, call, refundRequest);
  const { amount, reason } = read.data;
  const spend = await spendOf(ports.requests, call, subject, system);
  const command = requestOf(call.account, read.key, `refund:${spend.eventId}`, (keyHash): RefundRequested => ({
    type: 'RefundRequested',
    subject,
    system,
    spend,
    amount: amount ?? null,
    keyHash,
    ...textsOf({ reason }),
  }));
  const outcome = await submitted(ports, command, call.path.id);
  return ports.composeRefundAnswer(
    await answered(ports.requests, call, { command, outcome, idempotencyKey: read.key.key }),
  );
}

/** @throws ProblemError 404 for an unknown user or system, 422 that lists everything wrong */
async function prepared<Schema extends z.ZodType>(
  ports: IngestionPorts,
  { account, path, request }: SpendCall,
  schema: Schema,
) {
  const body = jsonBody(request);
  const system = configured('unknown_points_system', path.key, ports.configuration(account).current.pointsSystemByKey);
  const { subject } = await knownUser(ports, account, path.id);
  const { data, errors } = readRequest(schema, body);
  const key = keyOf(request, errors);
  if (data === undefined || key === null || errors.length > 0) throw new ProblemError(invalidRequest(errors));
  return { subject, system: system.key, read: { data, key } };
}

function keyOf(request: SpendCall['request'], errors: ProblemItem[]): HeaderKey | null {
  const before = errors.length;
  const key = idempotencyHeader(request, errors) ?? null;
  if (key === null && errors.length === before)
    errors.push({ path: 'Idempotency-Key', message: 'is required, so that a retry is safe' });
  return key;
}

/** @param scope takes the place of the metric in the scope of the key. Keys of metrics have no colon. */
function requestOf(
  account: string,
  { key, quoted }: HeaderKey,
  scope: string,
  made: (keyHash: string) => PointsRequest,
): RequestPoints {
  const { subject } = made('');
  const hashOf = (text: string) => keyHashOf({ account, subject, metric: scope, key: text });
  const keyHash = hashOf(key);
  return {
    type: 'RequestPoints',
    account,
    subject,
    request: made(keyHash),
    keyHash,
    ...(quoted.length > 0 && { quotedKeyHashes: quoted.map(hashOf) }),
  };
}

/** @throws ProblemError 404 if the user has no such spend in the system, 503 while the spend is undecided */
async function spendOf(
  requests: RecordedRequests,
  { account, path: { eventId } }: RefundCall,
  subject: Subject,
  system: string,
): Promise<RefundRequested['spend']> {
  const found = isUuid(eventId) ? await requests.find(account, eventId) : null;
  const fact = found?.fact;
  if (found === null || fact?.type !== 'SpendRequested' || fact.subject !== subject || fact.system !== system)
    throw new ProblemError(problemOf('unknown_spend', 'There is no spend with this id in this points system.'));
  const { verdict } = fact;
  if (verdict === undefined)
    throw new ProblemError(problemOf('refund_undecided', WITHOUT_VERDICT), { 'retry-after': '1' });
  return { position: found.position, eventId: found.eventId, spent: verdict.accepted ? verdict.amount : 0 };
}

/** @throws ProblemError if the request is refused */
async function submitted(ports: IngestionPorts, command: RequestPoints, userId: string): Promise<Recorded | Replayed> {
  const outcome = await outcomeOf(ports, command);
  if (outcome.kind === 'refused') throw refusal(outcome, userId);
  return outcome;
}

const WITHOUT_VERDICT = 'The spend is not decided yet, so it cannot be refunded; nothing was recorded.';

interface Submitted {
  readonly command: RequestPoints;
  readonly outcome: Recorded | Replayed;
  readonly idempotencyKey: string;
}

/** The texts that were given. */
const textsOf = <Name extends string>(texts: Readonly<Record<Name, string | null | undefined>>) =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => typeof text === 'string')) as Partial<
    Record<Name, string>
  >;

/** The outcome beside the request and its verdict. The log has those of a replay. */
async function answered(
  requests: RecordedRequests,
  { account, reply }: Pick<SpendCall, 'account' | 'reply'>,
  { command: { request }, outcome, idempotencyKey }: Submitted,
): Promise<AnsweredPointsRequest> {
  reply.code(outcome.kind === 'recorded' ? 201 : 202);
  const verdict = outcome.kind === 'recorded' ? outcome.sections.points?.verdict : undefined;
  if (verdict !== undefined) return { outcome, request: { ...request, verdict }, idempotencyKey };
  const record = (await requests.find(account, outcome.eventId)) as RecordedEvent<PointsRequest>;
  return { outcome, request: record.fact, idempotencyKey };
}
