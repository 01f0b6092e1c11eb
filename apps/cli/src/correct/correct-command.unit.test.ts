import { problemOf } from '@laurel/schemas';
import { fakeService, ok, refused, type FakeAnswers, type FakeService } from '../testing/fake-service.ts';
import { runCommand } from '../testing/run-command.ts';

const EVENT = '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a';
const OTHER = '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6b';
const PREVIEWS = 'POST /admin/v1/corrections/previews';
const CORRECTIONS = 'POST /admin/v1/corrections';
const BECAUSE = ['--reason', 'sent twice'];

const run = {
  ...{ start: '2026-03-02', end: '2026-03-08' },
  reachedAt: { before: '2026-03-02T20:00:00.000Z', after: '2026-03-02T19:00:00.000Z' },
};
const user = {
  ...{ userId: 'ada', events: 1, metrics: [{ metric: 'lessons', before: 7, after: 3 }] },
  points: [
    { pointsSystem: 'xp', system: 'xp', before: { total: 70, level: 'high' }, after: { total: 30, level: null } },
  ],
  achievements: [{ achievement: 'five', change: 'revoked' }],
  streak: { before: { length: 4, freezes: 1 }, after: { length: 2, freezes: 1 } },
  runs: [
    { ...run, board: 'weekly', final: true, stays: false, before: 7, after: null },
    { ...run, board: 'daily', final: true, stays: true, before: 7, after: 3 },
    { ...run, board: 'all', final: false, stays: false, before: 7, after: 7 },
  ],
};
const still = { ...user, userId: 'bea', metrics: [], points: [], achievements: [], runs: [], events: 2 };
const unchanged = { ...still, streak: { before: { length: 1, freezes: 0 }, after: { length: 1, freezes: 0 } } };
const ANSWERS: FakeAnswers = {
  [PREVIEWS]: ok({ id: 'shown', users: [user, unchanged] }),
  [CORRECTIONS]: ok({ corrections: [{ userId: 'ada', eventId: OTHER }] }, 201),
};
const SHOWN = `ada, 1 event
  lessons 7 -> 3
  xp 70 (high) -> 30
  five revoked
  streak 4 -> 2
  weekly run 2026-03-02 (final) 7 -> -
  daily run 2026-03-02 (final) stays; with --change-final-runs 7 -> 3
  all run 2026-03-02 7, reached 2026-03-02T20:00:00.000Z -> 2026-03-02T19:00:00.000Z
bea, 2 events: nothing changes
`;

describe('laurel retract and amend', () => {
  let service: FakeService;
  const run = async (words: readonly string[], answers: FakeAnswers = ANSWERS) => {
    service = await fakeService(answers);
    try {
      return await runCommand([...words], { variables: service.variables });
    } finally {
      await service.close();
    }
  };
  const sent = () => service.requests.map(({ body }) => JSON.parse(body) as unknown);

  it('show the changes and carry out what was shown', async () => {
    const { exitCode, stdout } = await run(['retract', EVENT, '--yes', ...BECAUSE]);
    expect([exitCode, stdout]).toEqual([0, `${SHOWN}recorded ${OTHER} for ada\n`]);
    const corrections = [{ eventId: EVENT, retract: true }];
    expect(sent()).toEqual([{ corrections }, { corrections, preview: 'shown', reason: 'sent twice' }]);
  });

  it('send an idempotency key and say how to continue after a partial failure', async () => {
    const half = {
      ...problemOf('outcome_unknown', 'Away.'),
      corrected: [{ userId: 'ada', eventId: OTHER }],
      uncorrected: ['bea'],
    };
    const failing = { ...ANSWERS, [CORRECTIONS]: { status: 503, body: half } };
    const failed = await run(['retract', EVENT, '--yes', ...BECAUSE], failing);
    expect(failed.exitCode).toBe(2);
    expect(failed.stderr).toContain('\ncorrected: ada\nnot corrected: bea\n');
    expect(failed.stderr).toContain('--preview shown');
    const keys = service.requests.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
    expect(new Set(keys)).toEqual(new Set(['shown']));
    const resumed = await run(['retract', EVENT, '--preview', 'shown', ...BECAUSE]);
    expect(resumed).toMatchObject({ exitCode: 0, stdout: `recorded ${OTHER} for ada\n` });
    expect(service.requests).toMatchObject([{ route: CORRECTIONS, idempotencyKey: 'shown' }]);
  });

  it('do not suggest to continue with a stale preview', async () => {
    const { stderr } = await run(['retract', EVENT, '--yes', ...BECAUSE], {
      ...ANSWERS,
      [CORRECTIONS]: refused('stale_preview'),
    });
    expect(stderr).not.toContain('--preview');
  });

  it('send the new value or time and what to keep', async () => {
    const options = ['--value', '2.5', '--occurred-at', '2026-03-02T12:00:00Z', '--keep-achievements'];
    await run(['amend', EVENT, OTHER, ...options, '--change-final-runs', '--yes', ...BECAUSE]);
    const change = { value: 2.5, occurredAt: '2026-03-02T12:00:00Z' };
    expect(sent()[1]).toMatchObject({
      corrections: [
        { eventId: EVENT, ...change },
        { eventId: OTHER, ...change },
      ],
      ...{ achievements: 'keep', finalRuns: 'change' },
    });
  });

  it('correct nothing when there is no terminal to confirm on', async () => {
    const { exitCode, stdout, stderr } = await run(['retract', EVENT, ...BECAUSE]);
    expect([exitCode, stdout]).toEqual([2, SHOWN]);
    expect(stderr).toContain('--yes');
    expect(service.requests.map(({ route }) => route)).toEqual([PREVIEWS]);
  });

  it('send no request without a change or without a reason', async () => {
    expect(await run(['amend', EVENT, ...BECAUSE])).toMatchObject({ exitCode: 2 });
    expect(await run(['retract', EVENT])).not.toMatchObject({ exitCode: 0 });
    expect(service.requests).toEqual([]);
  });
});
