import { queueStatus, type RebuildAnswer, type ServiceStatus } from '@laurel/schemas';
import { fakeService, ok, type FakeService } from '../testing/fake-service.ts';
import { HARMFUL_TEXTS, HARMLESS } from '../testing/harmful-texts.ts';
import { runCommand } from '../testing/run-command.ts';

const REBUILD: RebuildAnswer = {
  id: '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a',
  areas: ['points', 'leaderboards'],
  state: 'running',
  verify: false,
  differences: [],
  applied: 45,
  head: 100,
  startedAt: '2026-11-21T09:00:00.000Z',
  finishedAt: null,
  error: null,
};

const areas = (points: string | null = null): ServiceStatus['areas'] =>
  (['users', 'streaks', 'achievements', 'points', 'leaderboards'] as const).map((area) => ({
    area,
    position: points !== null && (area === 'points' || area === 'leaderboards') ? 90 : 100,
    stateVersion: 1,
    failure: area === 'points' ? points : area === 'leaderboards' && points !== null ? 'points has stopped' : null,
  }));

const STATUS: ServiceStatus = {
  version: '0.1.0',
  ready: true,
  now: '2026-11-21T09:38:39.881Z',
  clock: null,
  tzDataVersion: '2026a',
  configurationVersion: 3,
  head: 100,
  importOpen: false,
  ...queueStatus({ state: 'open', waiting: 0, stalledMs: 0 }),
  areas: areas(),
  rebuild: null,
};

const STORAGE: NonNullable<ServiceStatus['storage']> = {
  databaseBytes: 225_200_000,
  logBytes: 50_000_000,
  readModelBytes: 100_000_000,
  indexBytes: 65_000_000,
  walBytes: 320 * 1024 ** 2,
  freeBytes: 79_400_000_000,
  totalBytes: 270_500_000_000,
  low: false,
  bytesPerEvent: { log: 311, readModels: 622, indexes: 404 },
  eventsUntilFull: 57_886_042,
  unknown: {},
};

describe('laurel status', () => {
  let service: FakeService;
  const status = (answer: ServiceStatus, ...words: string[]) => statusOf({ 'GET /admin/v1/status': ok(answer) }, words);
  const statusOf = async (answers: Parameters<typeof fakeService>[0], words: readonly string[] = []) => {
    service = await fakeService(answers);
    try {
      return await runCommand(['status', ...words], { variables: service.variables });
    } finally {
      await service.close();
    }
  };

  it('names a second database in the data folder', async () => {
    const { stdout } = await status({ ...STATUS, unusedDataFolder: '/srv/data/demo' });
    expect(stdout).toContain('/srv/data/demo holds another database, of release 0.1, which is not used.');
  });

  it('describes a healthy service in a few lines', async () => {
    const { exitCode, stdout, stderr } = await status(STATUS);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toBe(
      [
        'Laurel 0.1.0 is ready',
        '  now            2026-11-21T09:38:39.881Z',
        '  time zones     2026a',
        '  configuration  version 3',
        '  log            position 100',
        '  queue          open, 0 waiting',
        '  import         none open',
        '  rebuild        none since the start',
        '',
        'area          position  behind  state',
        'users         100       0       running',
        'streaks       100       0       running',
        'achievements  100       0       running',
        'points        100       0       running',
        'leaderboards  100       0       running',
        '',
      ].join('\n'),
    );
  });

  it('shows disk space, space per event and how many more events fit', async () => {
    const { exitCode, stdout } = await status({ ...STATUS, storage: STORAGE });
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      [
        '  rebuild        none since the start',
        '  database       214.8 MiB (log 47.7 MiB, read models 95.4 MiB, indexes 62.0 MiB)',
        '  WAL            320.0 MiB',
        '  disk           73.9 GiB of 251.9 GiB free',
        '  per event      1.3 KiB (log 311 B, read models 622 B, indexes 404 B); room for about 57,000,000 more events',
        '',
      ].join('\n'),
    );
  });

  it('predicts nothing from few events', async () => {
    const storage = { ...STORAGE, bytesPerEvent: null, eventsUntilFull: null };
    expect((await status({ ...STATUS, storage })).stdout).not.toMatch(/per event|room/);
  });

  it('says why a size is unknown, and omits sizes when the service knows none', async () => {
    const unknown = { logBytes: 'it is elsewhere', walBytes: 'no right', freeBytes: 'another machine' };
    const sizes = { logBytes: null, walBytes: null, freeBytes: null, totalBytes: null, eventsUntilFull: null };
    const { stdout } = await status({ ...STATUS, storage: { ...STORAGE, ...sizes, unknown } });
    expect(stdout).toMatch(/database +214\.8 MiB \(log unknown: it is elsewhere, read models/);
    expect(stdout).toMatch(/^ {2}WAL +unknown: no right$/m);
    expect(stdout).toMatch(/^ {2}disk +unknown: another machine$/m);
    expect(stdout).toMatch(/^ {2}per event +1\.3 KiB \([^;]+\)$/m);
    expect((await status(STATUS)).stdout).not.toMatch(/database|WAL|disk/);
  });

  it('warns of a disk that fills up', async () => {
    const storage = { ...STORAGE, low: true, freeBytes: 512 * 1024 ** 2, eventsUntilFull: 0 };
    const { exitCode, stdout } = await status({ ...STATUS, storage });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/room for about 0 more events$/m);
    expect(stdout).toMatch(/^The disk of the database fills up: 512\.0 MiB of 251\.9 GiB are free\./m);
  });

  it('shows the services of the distributed topology and the remedy for a halted one', async () => {
    const running = {
      service: 'streak-service',
      members: 2,
      behind: 12,
      stalledMs: 400,
      stalledSeconds: 0.4,
      stopped: [],
    };
    const stopped = {
      service: 'points-service',
      members: 1,
      behind: 7,
      ...{ stalledMs: 90_000, stalledSeconds: 90 },
      stopped: [{ partition: 3, offset: 41, reason: 'the level is missing' }],
    };
    const problem =
      'points-service is halted in partition 3 of laurel.2.achievements at offset 41: the level is missing';
    const services = [running, stopped];
    const { exitCode, stdout } = await status({ ...STATUS, ready: false, services, problems: [problem] });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^streak-service +2 +12 +running$/m);
    expect(stdout).toMatch(/^points-service +1 +7 +STOPPED in 3$/m);
    expect(stdout.split('\n').filter((line) => line === problem)).toEqual([problem]);
    expect(stdout).toMatch(/`resend`.*[\s\S]*`rebuild`/);
  });

  it('shows services without members or progress, and the problems that the service reports', async () => {
    const services = [
      { service: 'streak-service', members: 0, behind: 3, stalledMs: 40_000, stalledSeconds: 40, stopped: [] },
      { service: 'achievement-service', members: 1, behind: 5, stalledMs: 41_000, stalledSeconds: 41, stopped: [] },
      { service: 'points-service', members: 1, behind: null, stalledMs: 0, stalledSeconds: 0, stopped: [] },
    ];
    const problems = ['streak-service has no members: no running instance works on its partitions.'];
    const { exitCode, stdout } = await status({ ...STATUS, ready: false, services, queryGateways: 1, problems });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^streak-service +0 +3 +NO MEMBERS$/m);
    expect(stdout).toMatch(/^achievement-service +1 +5 +no progress for 41s$/m);
    expect(stdout).toMatch(/^points-service +1 +unknown +running$/m);
    expect(stdout).toMatch(/^streak-service has no members: no running instance works on its partitions\.$/m);
  });

  it('shows the lag of webhooks and the remedy for a disabled one', async () => {
    const counts = { behind: 0, unfinished: 0, heldBack: 0, abandoned: 0, oldestAt: null, warnings: [] };
    const well = { disabledBecause: null, failingSince: null, lastSuccessAt: '2026-11-21T09:38:00.000Z', ...counts };
    const url = 'https://example.com/laurel';
    const webhooks: NonNullable<ServiceStatus['webhooks']> = [
      { ...well, id: 'a', url, state: 'enabled', warnings: ['the configuration does not make streak.lost'] },
      {
        ...{ ...well, id: 'b', url, state: 'enabled', failingSince: '2026-11-21T09:00:00.000Z' },
        ...{ unfinished: 12, heldBack: 3, abandoned: 1, oldestAt: '2026-11-21T08:59:00.000Z' },
      },
      { ...well, id: 'c', url, state: 'disabled', disabledBecause: 'it answered with 410\u001b[2J', behind: 70 },
    ];
    const { exitCode, stdout } = await status({ ...STATUS, webhooks });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^a +0 +0 +0 +0 +none +enabled$/m);
    expect(stdout).toMatch(/^b +0 +12 +3 +1 +2026-11-21T08:59:00\.000Z +failing since 2026-11-21T09:00:00\.000Z$/m);
    expect(stdout).toMatch(/^c +70 +0 +0 +0 +none +DISABLED$/m);
    expect(stdout).toMatch(/^Webhook a \(https:\S+\): the configuration does not make streak\.lost\.$/m);
    expect(stdout).toMatch(/^Webhook c \(https:\S+\) is disabled: it answered with 410.*: laurel webhooks enable c$/m);
    expect(stdout).toMatch(HARMLESS);
    expect((await status({ ...STATUS, webhooks: [] })).stdout).toBe((await status(STATUS)).stdout);
  });

  it('reads the webhooks of the distributed topology, and omits them when no process answers', async () => {
    const well = { disabledBecause: null, failingSince: null, lastSuccessAt: null, behind: 7, unfinished: 0 };
    const one = {
      ...well,
      heldBack: 0,
      abandoned: 0,
      oldestAt: null,
      warnings: [],
      id: 'a',
      url: 'https://x.example',
      state: 'enabled',
    };
    const distributed = { 'GET /admin/v1/status': ok({ ...STATUS, services: [] }) };
    const told = await statusOf({ ...distributed, 'GET /admin/v1/webhooks': ok([one]) });
    expect(told.stdout).toMatch(/^a +7 +0 +0 +0 +none +enabled$/m);
    const silent = await statusOf(distributed);
    expect([silent.exitCode, silent.stdout.includes('given up')]).toEqual([0, false]);
    const single = await statusOf({ 'GET /admin/v1/status': ok(STATUS), 'GET /admin/v1/webhooks': ok([one]) });
    expect(single.stdout).not.toContain('given up');
  });

  it('says which area is halted, why and what to do, and exits with 1', async () => {
    const { exitCode, stdout } = await status({ ...STATUS, ready: false, areas: areas('the level is missing') });
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^Laurel 0\.1\.0 is NOT ready\n/);
    expect(stdout).toMatch(/^points +90 +10 +STOPPED$/m);
    expect(stdout).toMatch(/^points is halted after position 90: the level is missing$/m);
    expect(stdout).toMatch(/: laurel rebuild points leaderboards$/m);
  });

  it('counts the users whose id stands for a missing value', async () => {
    expect((await status({ ...STATUS, placeholderUsers: 2 })).stdout).toMatch(
      /^Users whose id stands for a missing value \(undefined, null, NaN, .*\): 2\. Find the client/m,
    );
    expect((await status({ ...STATUS, placeholderUsers: 0 })).stdout).not.toContain('missing value');
  });

  it('names the users with a damaged state and the repair command', async () => {
    const one = { account: 'default', userId: 'ada\u001b[2J', area: 'points', reason: 'v is 99' } as const;
    const row = { ...one, userId: 'bob', area: null, reason: 'missing chunk', repair: 'laurel rebuild' };
    const damaged = [{ ...one, repair: 'laurel rebuild points' }, row];
    const { exitCode, stdout } = await status({ ...STATUS, damagedUsers: 3, damaged });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /points state of user "ada.*" of account default is damaged \(v is 99\); run: laurel rebuild points$/m,
    );
    expect(stdout).toMatch(
      /^The stored row of user "bob" of account default is damaged \(missing chunk\); run: laurel rebuild$/m,
    );
    expect(stdout).toMatch(/^Damaged users that are not listed: 1\.$/m);
    expect(stdout).toMatch(HARMLESS);
  });

  it.each([
    ['waiting', /database cannot be reached; requests wait for it/],
    ['down', /database cannot be reached; requests are refused \(503\)/],
    ['fenced', /Another process writes to this database/],
    ['closed', /The service is stopping/],
  ] as const)('says why nothing is recorded: the queue is %s', async (state, expected) => {
    const { exitCode, stdout } = await status({
      ...STATUS,
      ready: false,
      ...queueStatus({ state, waiting: 12, stalledMs: 7_300 }),
    });
    expect(exitCode).toBe(1);
    expect(stdout).toContain(`${state}, 12 waiting for 7s without an answer`);
    expect(stdout).toMatch(expected);
  });

  it('says that requests are stuck although the queue is open', async () => {
    const queue = queueStatus({ state: 'open', waiting: 3, stalledMs: 6_000 });
    expect((await status({ ...STATUS, ready: false, ...queue })).stdout).toMatch(/none is answered: look at the log/);
  });

  it('refers to the log when the status itself shows no problem', async () => {
    expect((await status({ ...STATUS, ready: false })).stdout).toMatch(
      /^GET \/readyz and the log of the service name/m,
    );
  });

  it('shows a clock set by LAUREL_CLOCK and an open import', async () => {
    const { stdout } = await status({
      ...STATUS,
      clock: 'LAUREL_CLOCK: stands still at 2026-11-21T00:00:00Z',
      importOpen: true,
    });
    expect(stdout).toMatch(/clock +LAUREL_CLOCK: stands still/);
    expect(stdout).toMatch(/import +open: until it is finished, nothing is swept/);
  });

  it.each([
    [REBUILD, /rebuild +under way, 45% \(points, leaderboards; since 2026-11-21T09:00:00\.000Z\)/],
    [
      { ...REBUILD, state: 'done', applied: 100, finishedAt: '2026-11-21T09:01:00.000Z' },
      /rebuild +done \(points, leaderboards; 2026-11-21T09:01:00\.000Z\)/,
    ],
    [
      { ...REBUILD, state: 'failed', error: 'points cannot apply 7' },
      /failed, nothing was changed .*points cannot apply 7/,
    ],
  ] as const)('shows the latest rebuild', async (rebuild, expected) => {
    expect((await status({ ...STATUS, rebuild: { ...rebuild, areas: [...rebuild.areas] } })).stdout).toMatch(expected);
  });

  it('prints the unchanged answer with --json and uses the same exit codes', async () => {
    const notReady = { ...STATUS, ready: false, areas: areas('x'), rebuild: REBUILD, addedByALaterRelease: [1] };
    const { exitCode, stdout } = await status(notReady, '--json');
    expect(JSON.parse(stdout)).toEqual(notReady);
    expect(stdout.split('\n')).toHaveLength(2);
    expect(exitCode).toBe(1);
    expect((await status(STATUS, '--json')).exitCode).toBe(0);
  });

  it.each(HARMFUL_TEXTS)('escapes control characters in the reason of a failure: %s', async (_, text) => {
    const harmful = { ...STATUS, areas: areas(text), rebuild: { ...REBUILD, state: 'failed', error: text } as const };
    const { stdout } = await status(harmful);
    expect(stdout).toMatch(HARMLESS);
    expect(stdout.split('\n')).toHaveLength(
      (await status({ ...harmful, areas: areas('x') })).stdout.split('\n').length,
    );
    const json = (await status(harmful, '--json')).stdout;
    expect(json).toMatch(HARMLESS);
    expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(harmful)));
  });
});
