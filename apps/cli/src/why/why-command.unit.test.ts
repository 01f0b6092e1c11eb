import { fakeService, ok, type FakeAnswers } from '../testing/fake-service.ts';
import { HARMFUL_TEXTS, HARMLESS } from '../testing/harmful-texts.ts';
import { runCommand } from '../testing/run-command.ts';

const AT = '2026-03-01T20:00:00.000Z';
const ID = '01a1fd77-d074-753a-836c-87e905fbb1f9';

const run = async (answers: FakeAnswers, ...words: string[]) => {
  const service = await fakeService(answers);
  try {
    const result = await runCommand(words, { variables: service.variables });
    return { ...result, routes: service.requests.map(({ route }) => route) };
  } finally {
    await service.close();
  }
};

const points = (zone = 'UTC') => ({
  ...{ system: 'xp', total: 15, recorded: 12, due: 3, complete: true, next: 'more' },
  entries: [
    {
      ...{ at: AT, date: '2026-03-01', zone, type: 'metric', trigger: null, times: 2, nominal: 20, change: 12 },
      event: { id: ID, type: 'MetricEventRecorded', metric: 'lessons', value: 2, recordedAt: AT },
      ...{ cutBy: 'cap', total: 12, version: 1 },
    },
  ],
});
const POINTS = 'GET /admin/v1/users/ada/explain/points/xp?limit=20';

const achievement = (rest: object) => ({
  ...{ achievement: 'first', trigger: 'metric', at: null, event: null, version: null, metric: 'lessons' },
  ...{ have: null, need: null, missing: null, achievements: null, completesWith: 'metric_event', revokedBy: null },
  ...rest,
});
const FIRST = 'GET /admin/v1/users/ada/explain/achievements/first';

describe('laurel why', () => {
  it('shows what awarded points, what was cut and the sum', async () => {
    const { exitCode, stdout } = await run({ [POINTS]: ok(points()) }, 'why', 'ada', 'points', 'xp');
    expect(exitCode).toBe(0);
    const [sum, header, entry, more] = stdout.split('\n');
    expect(sum).toBe('15 points: 12 recorded, 3 due and not recorded yet');
    expect(header).toMatch(/^at +zone +by +event +times +change/);
    expect(entry?.split(/ {2,}/)).toEqual([
      AT,
      'UTC',
      'metric',
      'lessons 2',
      '2',
      '12',
      'cut by maxPoints, of 20',
      '12',
      '1',
      ID,
    ]);
    expect(more).toBe('there are older entries: --cursor more');
  });

  it.each([
    ['trigger_cap', "cut by the trigger's cap, of 20"],
    ['system_cap', "cut by the system's cap, of 20"],
    ['zero', 'cut at zero, of 20'],
  ])('names what cut an award: %s', async (cutBy, words) => {
    const entries = points().entries.map((entry) => ({ ...entry, cutBy }));
    const { stdout } = await run({ [POINTS]: ok({ ...points(), entries }) }, 'why', 'ada', 'points', 'xp');
    expect(stdout.split('\n')[2]).toContain(words);
  });

  it('shows the boosts that multiplied an award, and what was left of it', async () => {
    const boosts = [
      { name: 'Weekend', multiplier: 1.5 },
      { name: 'Evening', multiplier: 2 },
    ];
    const cut = { ...points().entries[0], boosts, boosted: 60 };
    const whole = { ...cut, change: 60, cutBy: null };
    const answer = { ...points(), entries: [cut, whole] };
    const { stdout } = await run({ [POINTS]: ok(answer) }, 'why', 'ada', 'points', 'xp');
    expect(stdout).toContain('20 with Weekend × 1.5, Evening × 2; cut by maxPoints, of 60');
    expect(stdout).toMatch(/60 +20 with Weekend × 1.5, Evening × 2 +12/);
  });

  it('shows what the level follows if that is not the total', async () => {
    const earned = { earned: 40, levelsBy: 'earned', level: 'gold' };
    const { stdout } = await run({ [POINTS]: ok({ ...points(), ...earned }) }, 'why', 'ada', 'points', 'xp');
    expect(stdout.split('\n')[1]).toBe('40 earned, which the level follows: gold');
    const below = await run({ [POINTS]: ok({ ...points(), ...earned, level: null }) }, 'why', 'ada', 'points', 'xp');
    expect(below.stdout.split('\n')[1]).toBe('40 earned, which the level follows: below all levels');
  });

  it('shows what one event awarded and why its other triggers awarded nothing', async () => {
    const route = `GET /admin/v1/users/ada/explain/points/xp/events/${ID}`;
    const missed = [
      { trigger: { type: 'metric', metricName: 'Words' }, why: 'below_threshold', missing: 7.5 },
      { trigger: { type: 'streak' }, why: 'streak_length', missing: 2 },
      { trigger: { type: 'achievement', achievementName: 'First' }, why: 'achievement_not_completed', missing: null },
      { trigger: null, why: 'not_due', missing: null },
    ];
    const [fired] = points().entries;
    const answer = { system: 'xp', event: fired?.event, version: 1, complete: true, preparing: false, change: 12 };
    const event = ['why', 'ada', 'points', 'xp', '--event', ID];
    const { stdout } = await run({ [route]: ok({ ...answer, fired: [fired], missed }) }, ...event);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toBe(`event ${ID} gave 12 points`);
    expect(lines[2]).toContain('cut by maxPoints, of 20');
    expect(lines.slice(3)).toEqual([
      'metric Words: 7.5 missing to the next multiple of the threshold',
      'streak: it extended the streak, but 2 periods are missing to a multiple of the length',
      'achievement First: it did not complete the achievement',
      'removed trigger: nothing fell due since the event before',
    ]);
    const incomplete = { ...answer, complete: false, preparing: true, change: 0, fired: [], missed: null };
    expect((await run({ [route]: ok(incomplete) }, ...event)).stdout).toContain('ask again soon');
    expect(await run({}, 'why', 'ada', 'streak', '--event', ID)).toMatchObject({ exitCode: 2, routes: [] });
  });

  it.each([
    [{ status: 'completed', at: AT, event: { id: ID } }, `first was completed at ${AT} by event ${ID}`],
    [{ status: 'open', have: 7, need: 10, missing: 3 }, 'first is not completed: 7 of 10, 3 missing'],
    [{ status: 'open', achievements: ['a', 'b'] }, 'first is not completed: it needs a, b'],
    [{ status: 'open', completesWith: 'call' }, 'first is not completed: it completes with the call of its route'],
    [
      { status: 'met' },
      'first is not completed: its condition is met, but no event has come since; it completes with the next event of lessons',
    ],
    [
      { status: 'inactive', activeFrom: AT, activeUntil: '2026-04-01T00:00:00.000Z' },
      `first is not completed: it is active only from ${AT} and before 2026-04-01T00:00:00.000Z`,
    ],
    [{ status: 'inactive', activeUntil: AT }, `first is not completed: it is active only before ${AT}`],
  ])('describes an achievement: %j', async (rest, line) => {
    const { stdout } = await run({ [FIRST]: ok(achievement(rest)) }, 'why', 'ada', 'achievement', 'first');
    expect(stdout).toBe(`${line}\n`);
  });

  it('says who revoked an achievement and why', async () => {
    const revokedBy = { id: ID, type: 'GrantRecorded', by: 'local', reason: 'The wrong user.', recordedAt: AT };
    const answers = { [FIRST]: ok(achievement({ status: 'met', revokedBy })) };
    const { stdout } = await run(answers, 'why', 'ada', 'achievement', 'first');
    expect(stdout).toMatch(/^first is not completed: /);
    expect(stdout.split('\n')[1]).toBe(`it was taken back at ${AT} by local (The wrong user.) with event ${ID}`);
  });

  it('shows the progress in each period of a streak', async () => {
    const streak = {
      ...{
        length: 0,
        complete: true,
        ends: [{ at: AT, localTime: '2026-03-02T01:00:00.000', length: 4, zone: 'Africa/Tunis' }],
        zoneChanges: [{ at: AT, localTime: '2026-03-02T09:00:00.000', from: 'Africa/Tunis', to: 'Asia/Tokyo' }],
      },
      periods: [
        {
          ...{ periodStart: '2026-03-01', periodEnd: '2026-03-01', status: 'missed', length: 0, at: null },
          conditions: [{ metric: 'lessons', progress: 1, threshold: 3 }],
        },
      ],
    };
    const route = 'GET /admin/v1/users/ada/explain/streak?periods=20&date=2026-03-01';
    const { stdout } = await run({ [route]: ok(streak) }, 'why', 'ada', 'streak', '2026-03-01');
    expect(stdout).toContain('lessons 1/3');
    expect(stdout).toContain(`one of 4 ended at ${AT}, 2026-03-02T01:00:00.000 in Africa/Tunis`);
    expect(stdout).toContain(
      `the clock changed at ${AT} from Africa/Tunis to Asia/Tokyo, where it was 2026-03-02T09:00:00.000`,
    );
  });

  it('says why a user is not ranked, and the value of the last place', async () => {
    const standing = {
      ...{ leaderboard: 'weekly', status: 'beyond_max_participants', runStart: '2026-03-01', runEnd: null, rank: null },
      ...{ value: 4, maxParticipants: 2, lastRanked: { userId: 'bob', rank: 2, value: 6 }, above: null, below: null },
      ...{
        behindLast: 2,
        contributions: [
          {
            ...{ at: AT, zone: 'Africa/Tunis', change: 4, value: 4, previousRank: null, rank: null, version: 3 },
            event: { id: ID, type: 'MetricEventRecorded', metric: 'lessons', value: 2, recordedAt: AT },
            awards: [
              { type: 'user_creation', trigger: null, change: 1 },
              { type: null, trigger: null, change: 3 },
            ],
          },
        ],
        next: 'older',
      },
    };
    const route = 'GET /admin/v1/users/ada/explain/leaderboards/weekly?limit=20&cursor=more&run=2026-03-01';
    const { stdout } = await run(
      { [route]: ok(standing) },
      ...['why', 'ada', 'board', 'weekly', '--run', '2026-03-01', '--cursor', 'more'],
    );
    const row = stdout.split('\n').find((line) => line.startsWith(AT));
    expect(row?.split(/ {2,}/)).toEqual([
      ...[AT, 'Africa/Tunis', 'user_creation 1, removed trigger 3', 'lessons 2', '4', '4', '–', '3', ID],
    ]);
    expect(stdout).toContain('there are older contributions: --cursor older');
    expect(stdout).toContain('weekly, run 2026-03-01 to open: not ranked: 4 is beyond the 2 places, 2 behind the last');
    expect(stdout).toContain('last place: bob, rank 2, 6');
  });

  it.each([
    [['points']],
    [['karma', 'xp']],
    [['points', 'xp', '--run', '2026-03-01']],
    [['points', 'xp', '--limit', '51']],
    [['streak', '2026-03-01', '--cursor', 'more']],
    [['points', 'xp', '--event', ID, '--cursor', 'more']],
  ])('refuses %j without sending a request', async (words) => {
    expect(await run({}, 'why', 'ada', ...words)).toMatchObject({ exitCode: 2, routes: [] });
  });

  it.each(HARMFUL_TEXTS)('escapes control characters: %s', async (_, text) => {
    expect((await run({ [POINTS]: ok(points(text)) }, 'why', 'ada', 'points', 'xp')).stdout).toMatch(HARMLESS);
    const json = await run({ [POINTS]: ok(points(text)) }, 'why', 'ada', 'points', 'xp', '--json');
    expect(json.stdout).toMatch(HARMLESS);
  });
});

describe('laurel event', () => {
  const whole = { pointsLeftOut: 0, runsLeftOut: 0 };

  it('describes the effects in full words without trigger ids', async () => {
    const words = `500 xp for ${'a very long name of an achievement '.repeat(4)}, now 500`;
    const event = {
      ...{ id: ID, type: 'MetricEventRecorded', words: '2 Lessons', at: AT, recordedAt: AT, position: 4, version: 1 },
      ...{ userId: 'ada', metric: 'lessons', value: 2, corrected: null, users: 1, next: null },
      caused: [{ ...whole, userId: 'ada', effects: [{ type: 'PointsAwarded', words, triggerId: ID }] }],
    };
    const { stdout } = await run({ [`GET /admin/v1/events/${ID}`]: ok(event) }, 'event', ID);
    expect(stdout.split('\n')).toEqual([
      `2 Lessons, at ${AT}, recorded ${AT}, position 4, version 1`,
      'user ada',
      words,
      '',
    ]);
  });

  it('says who corrected the event and what counts', async () => {
    const event = {
      ...{ id: ID, type: 'MetricEventRecorded', words: '2 Lessons', at: AT, recordedAt: AT, position: 4, version: 1 },
      ...{ userId: 'ada', metric: 'lessons', value: 2, users: 1, next: null, caused: [] },
      corrected: {
        ...{ retracted: true, value: { original: 2, present: 3 } },
        corrections: [{ eventId: ID, at: AT, by: null, reason: 'sent twice' }],
      },
    };
    const { stdout } = await run({ [`GET /admin/v1/events/${ID}`]: ok(event) }, 'event', ID);
    expect(stdout.split('\n').slice(2, 5)).toEqual([
      'amended: value 2 -> 3',
      'retracted: it does not count',
      `corrected ${AT} by somebody (sent twice): event ${ID}`,
    ]);
  });

  it('says which effects are omitted and how to see them', async () => {
    const sweep = {
      ...{
        id: ID,
        type: 'UsersSwept',
        words: 'time passed',
        at: AT,
        recordedAt: AT,
        position: 4,
        version: 1,
        userId: null,
      },
      ...{ metric: null, value: null, corrected: null, users: 200, next: 'the others' },
      caused: [
        { userId: 'ada', effects: [{ words: '1 XP for 1 day, now 9' }], pointsLeftOut: 3, runsLeftOut: 0 },
        { userId: null, effects: [{ words: '1 XP for 1 day, now 4' }], pointsLeftOut: 0, runsLeftOut: 0 },
        { userId: 'bob', effects: [], pointsLeftOut: 0, runsLeftOut: 7 },
      ],
    };
    const answers = { [`GET /admin/v1/events/${ID}?cursor=before`]: ok(sweep) };
    const { stdout } = await run(answers, 'event', ID, '--cursor', 'before');
    expect(stdout.trimEnd().split('\n').slice(1)).toEqual([
      '200 users, of whom 3 are shown',
      'ada: 1 XP for 1 day, now 9',
      'an erased user: 1 XP for 1 day, now 4',
      `of ada 3 earlier effects on points are left out: laurel why ada points KEY --event ${ID}`,
      'of bob the ranks in 7 runs are left out: laurel why bob board KEY --run DATE',
      'there are more users: --cursor the others',
    ]);
  });
});
