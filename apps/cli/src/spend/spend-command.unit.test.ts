import { problemOf } from '@laurel/schemas';
import { fakeService, ok, refused, type FakeAnswers, type FakeService } from '../testing/fake-service.ts';
import { runCommand } from '../testing/run-command.ts';

const SPEND_ID = '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a';
const REFUND_ID = '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6b';
const SPEND = 'POST /v1/users/ada/points/gems/spend';
const REFUND = `POST /v1/users/ada/points/gems/spends/${SPEND_ID}/refund`;
const EVENT = `GET /admin/v1/events/${SPEND_ID}`;

const SPENT = {
  eventId: SPEND_ID,
  spent: 120,
  points: { gems: { total: 30, added: -120 } },
  idempotentReplayed: false,
  idempotencyKey: 'order-1',
};
const REFUNDED = { ...SPENT, eventId: REFUND_ID, spent: undefined, refunded: 20 };
const found = (...effects: object[]) => ok({ type: 'SpendRequested', caused: [{ userId: 'ada', effects }] });
const FOUND = found({ type: 'RequestAccepted', pointsSystem: 'gems', system: 'gems', amount: 120 });

describe('laurel spend and laurel refund', () => {
  let service: FakeService;
  const run = async (answers: FakeAnswers, ...words: string[]) => {
    service = await fakeService(answers);
    try {
      return await runCommand(words, { variables: service.variables });
    } finally {
      await service.close();
    }
  };
  const spend = (answers: FakeAnswers, ...words: string[]) =>
    run(answers, 'spend', 'ada', 'gems', '120', '--key', 'order-1', ...words);
  const refund = (answers: FakeAnswers, ...words: string[]) =>
    run(answers, 'refund', 'ada', SPEND_ID, ...words, '--key', 'cancel-1');
  const sent = () => service.requests.map(({ route, body, idempotencyKey }) => ({ route, body, idempotencyKey }));
  const bodyOf = (body: object) => JSON.stringify(body);

  it('spends points under the key and prints the new total', async () => {
    const { exitCode, stdout } = await spend({ [SPEND]: ok(SPENT, 201) }, '--reason', 'a hat', '--reference', 'o-1');
    expect([exitCode, stdout]).toEqual([0, `recorded ${SPEND_ID}: ada spent 120 gems, total 30\n`]);
    const body = bodyOf({ amount: 120, reason: 'a hat', reference: 'o-1' });
    expect(sent()).toEqual([{ route: SPEND, body, idempotencyKey: 'order-1' }]);
  });

  it('says that a key had been used', async () => {
    const { stdout } = await spend({ [SPEND]: ok({ ...SPENT, idempotentReplayed: true }, 202) });
    expect(stdout).toBe(`already recorded ${SPEND_ID}: ada spent 120 gems, total 30\n`);
  });

  it('exits with 1 and prints why, if the user has too few points', async () => {
    const extra = { eventId: SPEND_ID, balance: 20, missing: 100 };
    const problem = problemOf('insufficient_points', 'The user has 20 gems, 100 too few.', extra);
    const { exitCode, stdout, stderr } = await spend({ [SPEND]: ok(problem, 422) });
    expect([exitCode, stdout, stderr]).toEqual([1, `refused ${SPEND_ID}: The user has 20 gems, 100 too few.\n`, '']);
    const json = await spend({ [SPEND]: ok(problem, 422) }, '--json');
    expect([json.exitCode, JSON.parse(json.stdout)]).toEqual([1, problem]);
  });

  it('repeats a spend that is undecided, or whose outcome is unknown, with the same key', async () => {
    const answers = [refused('spend_undecided'), refused('outcome_unknown'), ok(SPENT, 201)];
    const { exitCode, stdout } = await spend({ [SPEND]: answers });
    expect([exitCode, stdout]).toEqual([0, `recorded ${SPEND_ID}: ada spent 120 gems, total 30\n`]);
    expect(sent().map(({ idempotencyKey }) => idempotencyKey)).toEqual(['order-1', 'order-1', 'order-1']);
  });

  it.each([
    ['undecided', refused('spend_undecided')],
    ['lost', 'drop' as const],
  ])('advises the same key if the answer stays %s', async (_, answer) => {
    const { exitCode, stderr } = await spend({ [SPEND]: answer });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/\nRun it again with the same --key: it moves no points twice\.\n$/);
  });

  it('refunds a part of a spend, whose points system it looks up', async () => {
    const { exitCode, stdout } = await refund({ [EVENT]: FOUND, [REFUND]: ok(REFUNDED, 201) }, '20');
    expect([exitCode, stdout]).toEqual([0, `recorded ${REFUND_ID}: ada got 20 gems back, total 30\n`]);
    const body = bodyOf({ amount: 20 });
    expect(sent()).toMatchObject([{ route: EVENT }, { route: REFUND, body, idempotencyKey: 'cancel-1' }]);
  });

  it('refunds what is left without an amount', async () => {
    await refund({ [EVENT]: FOUND, [REFUND]: ok(REFUNDED, 201) });
    expect(sent()[1]?.body).toBe('{}');
  });

  it('exits with 1 if less than that is left', async () => {
    const detail = 'Of this spend 0 gems are left to refund.';
    const problem = problemOf('already_refunded', detail, { eventId: REFUND_ID, left: 0 });
    const { exitCode, stdout } = await refund({ [EVENT]: FOUND, [REFUND]: ok(problem, 422) });
    expect([exitCode, stdout]).toEqual([1, `refused ${REFUND_ID}: ${detail}\n`]);
  });

  const NO_SPEND = `laurel: there is no spend ${SPEND_ID} of this user\n`;
  it.each<[string, FakeAnswers, string]>([
    ['of an unknown event', { [EVENT]: refused('unknown_event') }, NO_SPEND],
    ['of an event of another type', { [EVENT]: ok({ type: 'MetricEventRecorded', caused: [] }) }, NO_SPEND],
    ['of a spend of somebody else', { [EVENT]: FOUND, [REFUND]: refused('unknown_spend') }, NO_SPEND],
    ['for an unknown user', { [EVENT]: FOUND, [REFUND]: refused('unknown_user') }, 'laurel: there is no user ada\n'],
    [
      'of an undecided spend',
      { [EVENT]: found() },
      'laurel: the spend is not decided yet, so it cannot be refunded; run the command again later\n',
    ],
  ])('exits with 2 for a refund %s', async (_, answers, expected) => {
    const { exitCode, stderr } = await refund(answers);
    expect([exitCode, stderr]).toEqual([2, expected]);
  });

  it.each([
    ['a spend without a key', ['spend', 'ada', 'gems', '120'], /required option '--key <key>'/],
    ['no whole points', ['spend', 'ada', 'gems', '1.5', '--key', 'k'], /Expected a whole number from 1 on/],
    ['nothing to spend', ['spend', 'ada', 'gems', '0', '--key', 'k'], /Expected a whole number from 1 on/],
    ['a refund without a key', ['refund', 'ada', SPEND_ID], /required option '--key <key>'/],
  ])('sends no request for %s', async (_, words, expected) => {
    const { exitCode, stderr } = await run({}, ...words);
    expect([exitCode, service.requests]).toEqual([2, []]);
    expect(stderr).toMatch(expected);
  });
});
