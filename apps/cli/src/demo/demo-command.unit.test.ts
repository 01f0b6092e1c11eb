import { fakeService, ok, refused, type FakeAnswers, type FakeService } from '../testing/fake-service.ts';
import { runCommand } from '../testing/run-command.ts';
import { demoHistory, RUN_ATTRIBUTE, runOf } from './rules/demo-history.ts';

const NOW = '2026-11-21T12:00:00Z';
const PLAN = { seed: 1, users: 2, days: 7, until: Date.parse('2026-11-21T00:00:00Z') };
const WORDS = ['demo', '--users', '2', '--days', '7'];
const HISTORY = demoHistory(PLAN);
const IDS = [...new Set(HISTORY.map(({ user }) => user.id))];
const [LATER = '', OTHER = ''] = [IDS[0], IDS[1]];

const EVENTS = 'POST /admin/v1/metrics/events';
const FINISH = 'POST /admin/v1/imports/finish';

const results = (...statuses: number[]) =>
  ok({ accepted: 0, results: statuses.map((status, index) => ({ index, status, error: 'It is refused.' })) });
const recorded = results(...HISTORY.map(() => 201));
const usersOfTotal = (users: number) => ok([{ from: 0, to: 0, users }]);
const board = ok({ name: 'Board', rankings: [] });
const user = (attributes: object) => ok({ name: 'Ada', attributes });

const ANSWERS: FakeAnswers = {
  'GET /admin/v1/status': ok({ now: NOW }),
  'GET /v1/points/xp/summary': [usersOfTotal(0), usersOfTotal(2)],
  [EVENTS]: recorded,
  [FINISH]: ok({ closed: true }),
  'GET /v1/leaderboards/all-time?limit=5&run=2026-11-20': board,
  'GET /v1/leaderboards/weekly?limit=3&run=2026-11-20': board,
  'GET /v1/achievements': ok([]),
  [`GET /v1/streaks?userIds=${LATER}&userIds=${OTHER}`]: ok([{ userId: OTHER, streakLength: 3, extended: null }]),
  [`GET /v1/users/${LATER}`]: user({ [RUN_ATTRIBUTE]: runOf(PLAN) }),
  [`GET /v1/users/${OTHER}`]: user({ [RUN_ATTRIBUTE]: runOf(PLAN) }),
  [`GET /v1/users/${OTHER}/streak`]: ok({ length: 3, started: '2026-11-18', expires: '2026-11-21' }),
};

describe('laurel demo', () => {
  let service: FakeService | null = null;
  afterEach(() => service?.close());

  async function demo(answers: FakeAnswers = {}, ...more: string[]) {
    service = await fakeService({ ...ANSWERS, ...answers });
    return runCommand([...WORDS, ...more], { variables: service.variables });
  }
  const routes = () => service?.requests.map(({ route }) => route) ?? [];

  it('sends the history, ends the import and prints a summary', async () => {
    const { exitCode, stdout } = await demo();
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`${HISTORY.length} events of 2 users, 7 days until 2026-11-21T00:00:00.000Z\n`);
    expect(stdout).toContain(`${HISTORY.length} recorded, 0 already known\n`);
    expect(stdout).toContain('3 days since 2026-11-18');
    expect(stdout).not.toContain('console');
    const sent = service?.requests.find(({ route }) => route === EVENTS);
    expect(JSON.parse(sent?.body ?? '')).toEqual({ events: HISTORY });
    expect(routes().indexOf(FINISH)).toBe(routes().indexOf(EVENTS) + 1);
  });

  it('ends with a link to the console when the service has one', async () => {
    const link = { url: 'http://localhost:3000/console#token=a-token', scopes: ['read'], expiresAt: NOW };
    const { stdout } = await demo({ 'POST /admin/v1/console-links': ok(link, 201) });
    expect(stdout.endsWith('\n\nOr in the console: http://localhost:3000/console#token=a-token\n')).toBe(true);
  });

  it('sends the history again to a service that has it, and counts the known events', async () => {
    const known = {
      'GET /v1/points/xp/summary': usersOfTotal(2),
      [EVENTS]: results(201, ...HISTORY.slice(1).map(() => 202)),
    };
    expect(await demo(known)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(`1 recorded, ${HISTORY.length - 1} already known\n`),
    });
  });

  it('refuses a service with other users, also from another demo, and says why', async () => {
    for (const other of [refused('unknown_user'), user({}), user({ [RUN_ATTRIBUTE]: '2-7' })]) {
      const answers = { 'GET /v1/points/xp/summary': usersOfTotal(2), [`GET /v1/users/${OTHER}`]: other };
      const { exitCode, stderr } = await demo(answers);
      expect([exitCode, stderr]).toEqual([2, expect.stringMatching(/1 other user: .*for good[^]*--force/)]);
      expect(routes()).not.toContain(EVENTS);
      await service?.close();
    }
  });

  it('continues beside other users with --force', async () => {
    expect(await demo({ 'GET /v1/points/xp/summary': usersOfTotal(7) }, '--force')).toMatchObject({ exitCode: 0 });
    expect(routes()).toContain(EVENTS);
  });

  it('refuses a service with another configuration', async () => {
    const { exitCode, stderr } = await demo({ 'GET /v1/points/xp/summary': refused('unknown_points_system') });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('without LAUREL_CONFIG')]);
  });

  it('resends unavailable events before the following ones, and stops at a refused one', async () => {
    const [first, second] = [HISTORY[0], HISTORY[1]];
    const turnedAway = results(503, 503, ...HISTORY.slice(2).map(() => 201));
    await demo({ [EVENTS]: [turnedAway, results(201, 201)] });
    const sent = service?.requests.filter(({ route }) => route === EVENTS) ?? [];
    expect(JSON.parse(sent[1]?.body ?? '')).toEqual({ events: [first, second] });
    await service?.close();
    expect(await demo({ [EVENTS]: results(422) })).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('an event was refused (422): It is refused.'),
    });
  });

  it('ends the history at --until, but never ahead of the clock of the service', async () => {
    expect(await demo({}, '--until', '2026-11-22T00:00:00Z')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('2026-11-21T12:00:00.000Z'),
    });
    await service?.close();
    await demo({}, '--until', '2026-11-19T06:00:00Z');
    const sent = service?.requests.find(({ route }) => route === EVENTS);
    const events = demoHistory({ ...PLAN, until: Date.parse('2026-11-19T06:00:00Z') });
    expect(JSON.parse(sent?.body ?? '')).toEqual({ events });
    expect(routes()).toContain('GET /v1/leaderboards/all-time?limit=5&run=2026-11-19');
  });

  it.each([
    ['--users', '0'],
    ['--users', '1e3'],
    ['--days', '400'],
    ['--seed', '-1'],
    ['--until', 'yesterday'],
  ])('refuses %s %s without contacting the service', async (option, value) => {
    expect((await demo({}, option, value)).exitCode).toBe(2);
    expect(routes()).toEqual([]);
  });
});
