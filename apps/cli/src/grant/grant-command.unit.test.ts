import { fakeService, ok, refused, type FakeAnswers, type FakeService } from '../testing/fake-service.ts';
import { runCommand } from '../testing/run-command.ts';

const EVENT = '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a';
const STREAK = { length: 4, freezes: 2, maxFreezes: 3 };
const ANSWER = { eventId: EVENT, achievements: [], currentStreak: STREAK, points: { xp: { added: 50, total: 90 } } };
const POINTS = 'POST /admin/v1/users/ada/grants/points';
const BECAUSE = ['--reason', 'a lesson was lost'];

describe('laurel grant', () => {
  let service: FakeService;
  const grant = async (answers: FakeAnswers, ...words: string[]) => {
    service = await fakeService(answers);
    try {
      return await runCommand(['grant', ...words], { variables: service.variables });
    } finally {
      await service.close();
    }
  };
  const bodySent = (): unknown => JSON.parse(service.requests[0]?.body ?? 'null');

  it('grants points and prints the new total', async () => {
    const { exitCode, stdout } = await grant({ [POINTS]: ok(ANSWER, 201) }, 'points', 'ada', 'xp', '50', ...BECAUSE);
    expect([exitCode, stdout]).toEqual([0, `recorded ${EVENT}: 50 xp for ada, total 90\n`]);
    expect(bodySent()).toEqual({ pointsSystem: 'xp', amount: 50, reason: 'a lesson was lost' });
  });

  it('takes points and keeps them off the boards', async () => {
    await grant({ [POINTS]: ok(ANSWER, 201) }, 'points', ...BECAUSE, '--no-boards', 'ada', 'xp', '--', '-50');
    expect(bodySent()).toEqual({ pointsSystem: 'xp', amount: -50, reason: 'a lesson was lost', boards: false });
  });

  it('distinguishes a replay from the first use of a key', async () => {
    const replayed = {
      ...ANSWER,
      idempotentReplayed: true,
      idempotencyKey: 'k',
      points: { xp: { added: 0, total: 90 } },
    };
    const words = ['points', 'ada', 'xp', '50', ...BECAUSE, '--idempotency-key', 'k'];
    const { stdout } = await grant({ [POINTS]: ok(replayed, 202) }, ...words);
    expect(stdout).toBe(`already recorded ${EVENT}: 0 xp for ada, total 90\n`);
  });

  it('gives a boost for some minutes or until an instant', async () => {
    const answers = { 'POST /admin/v1/users/ada/grants/boost': ok(ANSWER, 201) };
    const named = ['--minutes', '60', '--name', 'Happy hour'];
    const { stdout } = await grant(answers, 'boost', 'ada', 'xp', '1.5', ...named, ...BECAUSE);
    expect(stdout).toBe(`recorded ${EVENT}: xp × 1.5 for ada\n`);
    const terms = { pointsSystem: 'xp', multiplier: 1.5, reason: 'a lesson was lost' };
    expect(bodySent()).toEqual({ ...terms, minutes: 60, name: 'Happy hour' });
    const until = ['--until', '2026-03-09T00:00:00Z', '--rounding', 'up'];
    await grant(answers, 'boost', 'ada', 'xp', '1.5', ...until, ...BECAUSE);
    expect(bodySent()).toEqual({ ...terms, until: '2026-03-09T00:00:00Z', rounding: 'up' });
    const wrong = await grant(answers, 'boost', 'ada', 'xp', '1.125', '--minutes', '1', ...BECAUSE);
    expect(wrong.stderr).toContain('Expected a number with at most two decimals.');
  });

  it('grants freezes and restores a streak', async () => {
    const freezes = await grant(
      { 'POST /admin/v1/users/ada/grants/freezes': ok(ANSWER, 201) },
      ...['freezes', 'ada', '1', ...BECAUSE],
    );
    expect(freezes.stdout).toBe(`recorded ${EVENT}: ada holds 2 of 3 freezes\n`);
    expect(bodySent()).toEqual({ amount: 1, reason: 'a lesson was lost' });
    const streak = await grant(
      { 'POST /admin/v1/users/ada/grants/streak': ok(ANSWER, 201) },
      'streak',
      'ada',
      ...BECAUSE,
    );
    expect(streak.stdout).toBe(`recorded ${EVENT}: the streak of ada has the length 4\n`);
  });

  it('excuses a range of days, or one day without a last date', async () => {
    const answers = { 'POST /admin/v1/users/ada/grants/excused': ok(ANSWER, 201) };
    const { stdout } = await grant(answers, 'excuse', 'ada', '2026-03-02', '2026-03-04', ...BECAUSE);
    expect(stdout).toBe(`recorded ${EVENT}: the streak of ada has the length 4\n`);
    expect(bodySent()).toEqual({ from: '2026-03-02', to: '2026-03-04', reason: 'a lesson was lost' });
    await grant(answers, 'excuse', 'ada', '2026-03-02', ...BECAUSE);
    expect(bodySent()).toMatchObject({ from: '2026-03-02', to: '2026-03-02' });
  });

  it('excuses days for all users page by page and prints a summary', async () => {
    const issue = { userId: 'b', level: 'error', reason: 'Its state is damaged.' };
    const pages = [
      { recorded: 199, replayed: 0, issues: [issue], next: 'm' },
      { recorded: 2, replayed: 3, issues: [], next: null },
    ];
    const answers = { 'POST /admin/v1/grants': pages.map((page) => ok(page)) };
    const words = ['excuse-all', '2026-03-02', ...BECAUSE, '--idempotency-key', 'outage-7'];
    const { exitCode, stdout, stderr } = await grant(answers, ...words);
    expect([exitCode, stdout]).toEqual([1, 'excused for 201 users, 3 had it already, 1 got nothing\n']);
    expect(stderr).toContain('b: Its state is damaged.');
    const bodies = service.requests.map(({ body }) => JSON.parse(body ?? 'null'));
    const dates = { from: '2026-03-02', to: '2026-03-02' };
    const first = { kind: 'excused', ...dates, reason: 'a lesson was lost' };
    expect(bodies).toEqual([first, { ...first, after: 'm' }]);
  });

  it('completes an achievement, names the completed ones and revokes it', async () => {
    const words = ['ada', 'first-lesson', ...BECAUSE];
    const given = { ...ANSWER, achievements: [{ key: 'first-lesson' }, { key: 'settled' }] };
    const path = 'POST /admin/v1/users/ada/grants';
    const completed = await grant({ [`${path}/achievement`]: ok(given, 201) }, 'achievement', ...words);
    expect(completed.stdout).toBe(`recorded ${EVENT}: completed for ada: first-lesson, settled\n`);
    expect(bodySent()).toEqual({ achievement: 'first-lesson', reason: 'a lesson was lost' });
    const again = await grant({ [`${path}/achievement`]: ok(ANSWER, 201) }, 'achievement', ...words);
    expect(again.stdout).toBe(`recorded ${EVENT}: nothing to complete for ada: first-lesson\n`);
    const taken = await grant({ [`${path}/revocation`]: ok(ANSWER, 201) }, 'revoke', ...words);
    expect(taken.stdout).toBe(
      `recorded ${EVENT}: first-lesson is taken back from ada; if its condition is met, the next event completes it, and pays for it, again\n`,
    );
    expect(bodySent()).toEqual({ achievement: 'first-lesson', reason: 'a lesson was lost' });
  });

  it('prints the whole answer with --json', async () => {
    const { stdout } = await grant({ [POINTS]: ok(ANSWER, 201) }, 'points', 'ada', 'xp', '50', ...BECAUSE, '--json');
    expect(JSON.parse(stdout)).toEqual(ANSWER);
  });

  it('exits with 2 for an unknown user', async () => {
    const answers = { [POINTS]: refused('unknown_user', 'There is no user with this id.') };
    const { exitCode, stderr } = await grant(answers, 'points', 'ada', 'xp', '50', ...BECAUSE);
    expect([exitCode, stderr]).toEqual([2, 'laurel: there is no user ada\n']);
  });

  it.each([
    ['no reason', ['points', 'ada', 'xp', '50'], /required option '--reason <text>'/],
    ['no whole number', ['points', 'ada', 'xp', '1.5', ...BECAUSE], /Expected a whole number/],
  ])('sends no request when it is given %s', async (_, words, expected) => {
    const { exitCode, stderr } = await grant({}, ...words);
    expect([exitCode, service.requests]).toEqual([2, []]);
    expect(stderr).toMatch(expected);
  });
});
