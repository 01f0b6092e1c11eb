import type { Configuration, PointsRequest, Recorded, Replayed, Verdict } from '@laurel/kernel';
import { ProblemError, problemOf, type ProblemCode, type RefundAnswer, type SpendAnswer } from '@laurel/schemas';
import { eventPoints } from './points-answer.ts';

interface Answered {
  readonly outcome: Recorded | Replayed;
  readonly request: PointsRequest;
  readonly idempotencyKey: string;
}

/** The answer to a spend (specification, section 6.12). @throws ProblemError 422 if it was refused, 503 if nothing has decided it */
export function composeSpendAnswer({ request, ...answered }: Answered): SpendAnswer {
  const { moved } = acceptedOf(request, answered, 'spend_undecided', (available, system) => {
    const missing = (request.amount ?? 0) - available;
    const detail = `The user has ${available} ${system}, ${missing} too few; nothing was taken. ${NEW_KEY}`;
    return ['insufficient_points', detail, { balance: available, missing }];
  });
  const { eventId, ...common } = commonOf(request, answered);
  const reference = request.type === 'SpendRequested' ? request.reference : undefined;
  return { eventId, spent: moved, ...common, ...(reference !== undefined && { reference }) };
}

/** The answer to a refund (specification, section 6.12). @throws ProblemError as for a spend */
export function composeRefundAnswer({ request, ...answered }: Answered): RefundAnswer {
  const { moved } = acceptedOf(request, answered, 'refund_undecided', (available, system) => {
    const detail = `Of this spend ${available} ${system} are left to refund; nothing was given. ${NEW_KEY}`;
    return ['already_refunded', detail, { left: available }];
  });
  const { eventId, ...common } = commonOf(request, answered);
  return { eventId, refunded: moved, ...common };
}

const NEW_KEY = 'Use a new idempotency key to try again.';

type Refusal = readonly [code: ProblemCode, detail: string, extra: NonNullable<Parameters<typeof problemOf>[2]>];

function acceptedOf(
  { system, verdict }: PointsRequest,
  { outcome }: Omit<Answered, 'request'>,
  undecided: ProblemCode,
  refusalOf: (available: number, system: string) => Refusal,
): Extract<Verdict, { readonly accepted: true }> {
  const { eventId, configuration } = outcome;
  if (verdict?.accepted) return verdict;
  if (verdict === undefined) {
    const detail = 'It cannot be decided yet; ask again with the same idempotency key.';
    throw new ProblemError(problemOf(undecided, detail, { eventId }), { 'retry-after': '1' });
  }
  const [code, detail, extra] = refusalOf(verdict.available, nameOf(system, configuration));
  throw new ProblemError(
    problemOf(code, detail, { eventId, ...extra, idempotentReplayed: outcome.kind === 'replayed' }),
  );
}

const nameOf = (system: string, { pointsSystemByKey }: Configuration): string =>
  pointsSystemByKey.get(system)?.name ?? system;

function commonOf({ reason }: PointsRequest, { outcome, idempotencyKey }: Omit<Answered, 'request'>) {
  const { eventId, kind, configuration, sections } = outcome;
  return {
    eventId,
    points: sections.points ? eventPoints(sections.points, configuration) : {},
    idempotentReplayed: kind === 'replayed',
    idempotencyKey,
    ...(reason !== undefined && { reason }),
  };
}
