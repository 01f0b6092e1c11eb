import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtProgram } from '@laurel/testing/built';
import { runCommand } from '../testing/run-command.ts';

const KEY = 'a key for tests, 24+ characters';

describe('laurel demo against a service whose clock shows 21 November 2026', () => {
  let folder: string;
  let service: ChildProcess;
  let url: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-demo-'));
    // As root, Postgres runs as another user, who must be able to pass through.
    await chmod(folder, 0o755);
    service = spawn(process.execPath, ['--no-warnings', builtProgram('standalone')], {
      env: {
        PATH: process.env['PATH'],
        LAUREL_CLOCK: '2026-11-21T12:00:00Z',
        LAUREL_DATA_DIR: join(folder, 'data'),
        LAUREL_API_KEY: KEY,
        LAUREL_PORT: '0',
        LAUREL_LOG_LEVEL: 'warn',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    url = await urlIn(service);
  });

  afterAll(async () => {
    if (service.exitCode === null && service.kill()) await once(service, 'exit');
    await rm(folder, { recursive: true, force: true });
  });

  const demo = (...more: string[]) =>
    runCommand(['demo', '--users', '60', '--days', '21', '--url', url, ...more], {
      variables: { LAUREL_API_KEY: KEY },
    });

  const masked = (text: string) =>
    text.replaceAll(url, 'URL').replace(/http:\/\/localhost:\d+\/console#token=[\w-]{43}$/m, 'CONSOLE');

  it('prints the same numbers on every machine and changes nothing when it runs again', async () => {
    const first = await demo();
    expect(masked(first.stdout)).toBe(SUMMARY.replace('RECORDED', '1643 recorded, 0 already known'));
    const again = await demo();
    expect(masked(again.stdout)).toBe(SUMMARY.replace('RECORDED', '0 recorded, 1643 already known'));
  });

  it('adds users to the same run and refuses another run', async () => {
    expect((await demo('--users', '62')).stdout).toContain('already known');
    expect(await demo('--seed', '2')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('other users') });
  });
});

async function urlIn(service: ChildProcess): Promise<string> {
  let printed = '';
  let over = false;
  service.stdout?.on('data', (chunk) => (printed += String(chunk)));
  const ended = once(service, 'exit').then(() => (over = true));
  while (!/^curl .*\n/m.test(printed)) {
    await Promise.race([once(service.stdout ?? service, 'data'), ended]);
    if (over) throw new Error(`the service has ended:\n${printed}`);
  }
  return /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? '';
}

const SUMMARY = `1643 events of 59 users, 21 days until 2026-11-21T00:00:00.000Z
RECORDED

Most lessons of all time
  1  Noah Demir     demo-048  56
  2  Quinn Fischer  demo-010  53
  3  Rosa Kaya      demo-028  50
  4  Tara Wilson    demo-056  46
  5  Juno Hansen    demo-049  39

Most experience this week
  1  Quinn Fischer  demo-010  204
  2  Tara Wilson    demo-056  169
  3  Omar Olsen     demo-057  148

Achievements, and how many have them
  First lesson      59  100%
  Bookworm          0   0%
  A week of study   15  25.42%
  Scholar           0   0%
  Profile complete  0   0%

Users by experience
  0           0
  1 to 100    24  ########################################
  101 to 200  17  #############################
  201 to 300  6   ##########
  301 to 400  4   #######
  401 to 500  4   #######
  501 to 600  2   ####
  601 to 700  2   ####

The longest streak that is alive
  Chidi Demir  demo-026  21 days since 2026-10-31, good until 2026-11-21

Look further, with your key in LAUREL_API_KEY:
  curl -H "X-API-KEY: $LAUREL_API_KEY" "URL/v1/leaderboards/all-time?limit=20"
  curl -H "X-API-KEY: $LAUREL_API_KEY" "URL/v1/users/demo-026/streak?historyPeriods=30"
  curl -H "X-API-KEY: $LAUREL_API_KEY" "URL/v1/users/demo-026/achievements"
  curl -H "X-API-KEY: $LAUREL_API_KEY" "URL/v1/users/demo-026/points/xp/event-summary?aggregation=weekly&start_date=2026-10-31&end_date=2026-11-20"
  curl -H "X-API-KEY: $LAUREL_API_KEY" "URL/v1/users/demo-026/leaderboards/weekly"
  curl -H "X-API-KEY: $LAUREL_API_KEY" "URL/v1/points/xp/level-summary"

Or in the console: CONSOLE
`;
