import type { PointsRequest, Verdict } from '@laurel/kernel';
import { namePointsSystem, type RequestAnswer } from '@laurel/schemas';

/** A spend or a refund, and how it was decided. */
export function requestAnswer(fact: PointsRequest): RequestAnswer {
  const { system, amount, verdict } = fact;
  return {
    ...namePointsSystem(system),
    amount,
    accepted: verdict?.accepted ?? null,
    ...(verdict?.accepted === true && { moved: verdict.moved }),
    ...(verdict?.accepted === false && shortOf(fact, verdict)),
    ...(fact.type === 'RefundRequested' && { spend: fact.spend.eventId }),
    ...(fact.type === 'SpendRequested' && fact.reference !== undefined && { reference: fact.reference }),
  };
}

type Refused = Extract<Verdict, { readonly accepted: false }>;

const shortOf = ({ type, amount }: PointsRequest, { available }: Refused) =>
  type === 'SpendRequested' ? { balance: available, missing: (amount ?? 0) - available } : { left: available };

/** A spend or a refund in words. Effects say that it was accepted. @param name of the points system */
export function requestWords(fact: PointsRequest, name: string): string {
  const { verdict } = fact;
  const asked = fact.type === 'SpendRequested' ? spendWords(fact, name) : refundWords(fact, name);
  if (verdict === undefined || verdict.accepted) return asked;
  const { balance, missing, left } = shortOf(fact, verdict) as Pick<RequestAnswer, 'balance' | 'missing' | 'left'>;
  return `${asked} refused: ${left === undefined ? `${balance} available, ${missing} missing` : `${left} left of the spend`}`;
}

const spendWords = (
  { amount, reference }: Extract<PointsRequest, { readonly type: 'SpendRequested' }>,
  name: string,
): string => `spend of ${amount} ${name}${reference === undefined ? '' : ` for ${reference}`}`;

function refundWords(
  { amount, verdict }: Extract<PointsRequest, { readonly type: 'RefundRequested' }>,
  name: string,
): string {
  const decided = verdict?.accepted ? verdict.amount : amount;
  return `refund of ${decided ?? 'the rest of the'} ${name}`;
}
