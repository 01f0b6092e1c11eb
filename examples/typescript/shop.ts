// Sells hats and streak freezes for gems, with the TypeScript client: node shop.ts USER
// LAUREL_URL and LAUREL_API_KEY name the service. Each order has its key, so a second run prints the same and takes nothing.
import { setTimeout as wait } from 'node:timers/promises';
import { createLaurelClient, LaurelError, orThrow } from '@laurel/client';

const { LAUREL_URL: url = 'http://127.0.0.1:3000', LAUREL_API_KEY: apiKey = '' } = process.env;
const laurel = createLaurelClient({ url, apiKey });
const user = process.argv[2] ?? 'ada';
const RETRIES = 5;

/** Makes a call until it is answered. Its key makes it count once. A lost answer has the status null. */
async function untilAnswered<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof LaurelError) || attempt === RETRIES) throw error;
      // 503 also says that the verdict is not known yet: spend_undecided, refund_undecided.
      if (error.status !== null && ![408, 429].includes(error.status) && error.status < 500) throw error;
      await wait(error.retryAfterMs ?? 250 * 2 ** attempt);
    }
  }
}

const spend = (amount: number, order: string, reason: string) => {
  const params = { path: { id: user, key: 'gems' }, header: { 'Idempotency-Key': order } };
  const body = { amount, reason, reference: order };
  return untilAnswered(() => orThrow(laurel.POST('/v1/users/{id}/points/{key}/spend', { params, body })));
};

const refund = (eventId: string, key: string, reason: string) => {
  const params = { path: { id: user, key: 'gems', eventId }, header: { 'Idempotency-Key': key } };
  return untilAnswered(() =>
    orThrow(laurel.POST('/v1/users/{id}/points/{key}/spends/{eventId}/refund', { params, body: { reason } })),
  );
};

/** The sentence for a refusal that was recorded, and so uses the key up. */
function refused(error: unknown): string {
  if (!(error instanceof LaurelError)) throw error;
  const { missing, left } = error.problem ?? {};
  if (error.code === 'insufficient_points') return `refused, ${missing} gems are missing`;
  if (error.code === 'already_refunded') return `refused, ${left} gems are left`;
  throw error;
}

const sell = (amount: number, order: string, reason: string): Promise<string> =>
  spend(amount, order, reason).then(() => 'sold', refused);

const cancel = (eventId: string, order: string): Promise<string> =>
  refund(eventId, `cancel-${order}`, 'the order was cancelled').then(
    ({ refunded }) => `${refunded} gems given back`,
    refused,
  );

/** Takes 20 gems for a streak freeze, and gives them back if the user holds the maximum. */
async function sellFreeze(order: string): Promise<string> {
  const paid = await spend(20, order, 'a streak freeze').catch(refused);
  if (typeof paid === 'string') return paid;
  if ((await freezesGiven(order)) > 0) return 'sold';
  await refund(paid.eventId, `cancel-${order}`, 'the user holds the maximum');
  return 'refused, the user holds the maximum';
}

/** Gives a freeze under the key of the order. What a grant gave stands in what its event caused. */
async function freezesGiven(order: string): Promise<number> {
  const params = { path: { id: user }, header: { 'Idempotency-Key': order } };
  const body = { amount: 1, reason: `bought with ${order}` };
  const grant = () => orThrow(laurel.POST('/admin/v1/users/{id}/grants/freezes', { params, body }));
  let given = await untilAnswered(grant);
  while (given.pending?.includes('streaks')) {
    await wait(1_000);
    given = await untilAnswered(grant);
  }
  const path = { eventId: given.eventId };
  const { caused } = await untilAnswered(() => orThrow(laurel.GET('/admin/v1/events/{eventId}', { params: { path } })));
  const granted = caused.flatMap(({ effects }) => effects).filter(({ type }) => type === 'FreezesGranted');
  return granted.reduce((sum, effect) => sum + Number(effect['granted']), 0);
}

try {
  console.log(`a hat: ${await sell(30, 'typescript-1', 'a hat')}`);
  const { eventId } = await spend(30, 'typescript-1', 'a hat');
  console.log(`cancelled: ${await cancel(eventId, 'typescript-1')}`);
  for (const order of ['typescript-2', 'typescript-3']) console.log(`a freeze: ${await sellFreeze(order)}`);
  console.log(`everything: ${await sell(100_000, 'typescript-4', 'everything')}`);
} catch (error) {
  if (!(error instanceof LaurelError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
} finally {
  await laurel.close();
}
