import { fakeService, ok, type FakeAnswers, type FakeService } from '../testing/fake-service.ts';
import { runCommand } from '../testing/run-command.ts';

const EVENT = '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a';
const OTHER = '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6b';
const PREVIEWS = 'POST /admin/v1/corrections/previews';
const CORRECTIONS = 'POST /admin/v1/corrections';
const BECAUSE = ['--reason', 'sent twice'];

const user = {
  ...{ userId: 'ada', events: 1, metrics: [{ metric: 'lessons', before: 7, after: 3 }] },
  points: [{ system: 'xp', before: { total: 70, level: 'high' }, after: { total: 30, level: null } }],
  achievements: [{ achievement: 'five', change: 'revoked' }],
  streak: { before: { length: 4, freezes: 1 }, after: { length: 2, freezes: 1 } },
  runs: [{ board: 'weekly', start: '2026-03-02', end: '2026-03-08', final: true, before: 7, after: null }],
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
bea, 2 events: nothing changes
`;

describe('laurel retract and amend', () => {
  let service: FakeService;
  const run = async (...words: string[]) => {
    service = await fakeService(ANSWERS);
    try {
      return await runCommand(words, { variables: service.variables });
    } finally {
      await service.close();
    }
  };
  const sent = () => service.requests.map(({ body }) => JSON.parse(body) as unknown);

  it('show what changes, and carry out what was shown', async () => {
    const { exitCode, stdout } = await run('retract', EVENT, '--yes', ...BECAUSE);
    expect([exitCode, stdout]).toEqual([0, `${SHOWN}recorded ${OTHER} for ada\n`]);
    const corrections = [{ eventId: EVENT, retract: true }];
    expect(sent()).toEqual([{ corrections }, { corrections, preview: 'shown', reason: 'sent twice' }]);
  });

  it('send another value or instant, and what is to be kept', async () => {
    const options = ['--value', '2.5', '--occurred-at', '2026-03-02T12:00:00Z', '--keep-achievements'];
    await run('amend', EVENT, OTHER, ...options, '--change-final-runs', '--yes', ...BECAUSE);
    const change = { value: 2.5, occurredAt: '2026-03-02T12:00:00Z' };
    expect(sent()[1]).toMatchObject({
      corrections: [
        { eventId: EVENT, ...change },
        { eventId: OTHER, ...change },
      ],
      ...{ achievements: 'keep', finalRuns: 'change' },
    });
  });

  it('correct nothing where nobody can answer', async () => {
    const { exitCode, stdout, stderr } = await run('retract', EVENT, ...BECAUSE);
    expect([exitCode, stdout]).toEqual([2, SHOWN]);
    expect(stderr).toContain('--yes');
    expect(service.requests.map(({ route }) => route)).toEqual([PREVIEWS]);
  });

  it('ask nothing of the service if nothing is to change, or without a reason', async () => {
    expect(await run('amend', EVENT, ...BECAUSE)).toMatchObject({ exitCode: 2 });
    expect(await run('retract', EVENT)).not.toMatchObject({ exitCode: 0 });
    expect(service.requests).toEqual([]);
  });
});
