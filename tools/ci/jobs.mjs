import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloneCommand } from '../clone-command.mjs';
import { CLIENTS } from '../generated-clients/clients.mjs';
import { GATE } from './gate.mjs';
import { readmeTestCommand } from './readme-test-command.mjs';
import { History, HistoryServer } from './server.mjs';

const NOW = '2026-11-21T00:00:00Z,frozen';
const IN_2014 = '2014-05-21T10:30:00Z,frozen';
const KILLS_AT_NIGHT = 100;
/** Where Debian installs the oldest supported version of Postgres. */
const POSTGRES_15 = '/usr/lib/postgresql/15/bin';
/** The active long-term support release of Node, on which the images are based. */
const NEWEST_LTS = 26;
const SOME_NUMBERS = ['--every', '70', '--runs', '5'];
const ALL_NUMBERS = ['--every', '1', '--runs', '100'];
/** Every form of the chain: a process for each service, all areas in one, and a cut at each place between. */
const FORMS = [
  { name: 'six services', steps: [] },
  { name: 'all areas in one process', steps: ['users,streaks,achievements,points,leaderboards'] },
  { name: 'a cut behind streaks', steps: ['users,streaks', 'achievements,points', 'leaderboards'] },
  { name: 'a cut before points', steps: ['users,streaks,achievements', 'points', 'leaderboards'] },
];
/** Runs a tool that imports our TypeScript. */
const WITH_SOURCES = [
  'node',
  '--conditions=@laurel/source',
  '--no-warnings',
  '--import',
  './libs/testing/src/typescript-loader.mjs',
];

/**
 * The jobs, with the long ones first so that both slots are busy until the end. Jobs that need the recorded history are
 * skipped if it is missing.
 *
 * @typedef {{ title: string, run: (log: string) => Promise<number | void>, orSkip?: string }} Step `run` returns the
 *   seconds of processor time; `orSkip`: if the step fails, it and all later steps are skipped, for this reason
 * @typedef {import('./schedule.mjs').Job & { steps: readonly Step[], skipped?: string }} CiJob
 *
 * @param {{ work: string, logs: string, shell: import('./shell.mjs').Shell, history: string | null, night: boolean,
 *   seed: number }} surroundings `seed`: the seed of everything that is drawn at random
 * @returns {readonly CiJob[]}
 */
export function jobsOf({ work, logs, shell, history: folder, night, seed }) {
  const command = (title, words, options) => ({ title, run: (log) => shell.run(log, words, options) });
  const history = folder !== null && existsSync(folder) ? new History(folder) : null;
  const job = (name, steps) => ({ name, needs: ['install'], steps });
  const withHistory = (name, stepsOf) => {
    const skipped = history === null ? 'there is no recorded history beside this clone' : undefined;
    return { name, needs: ['install'], steps: stepsOf(history ?? new History('')), ...(skipped && { skipped }) };
  };
  const server = (name, history, clock) => new HistoryServer(name, { shell, logs, work, history, clock });
  const tree = treeOf();

  return [
    {
      name: 'install',
      steps: [
        command('Packages', ['node', 'tools/ensure-installed.mjs', '--all'], { withinS: 600 }),
        // Builds in the same way as commands that need a build do. `npm run build` does not record what it was made
        // from, so the next job would build again.
        command('Build', ['node', 'tools/ensure-built.mjs'], { withinS: 600 }),
      ],
    },
    job('distributed', [
      command('The distributed suite, on a real broker', suite('test:distributed', night ? [] : GATE.distributed), {
        withinS: 5_400,
        ...(night && { env: { OUTGOING_TEST_KILLS: '20' } }),
      }),
    ]),
    // This job needs no other job: `npm test` itself installs and builds everything.
    { name: 'tests', steps: testSteps(work, shell, command) },
    ...(night ? nightJobs(work, command, job) : []),
    ...(night
      ? [
          withHistory('upgrade', (history) => [upgradeStep(command, history, 'd8b6d74')]),
          withHistory('upgrade-f5ea8d7b', (history) => [upgradeStep(command, history, 'f5ea8d7b')]),
        ]
      : []),
    ...(night ? [withHistory('moves', (history) => [movesStep(command, history)])] : []),
    ...(night ? [withHistory('reminders', (history) => [remindersStep(command, history)])] : []),
    withHistory('history', (history) => historySteps(server('all', history, NOW), history, night)),
    job('console', [
      browser(command),
      command('The console in a browser', suite('test:standalone-console', night ? [] : GATE.console), {
        withinS: 1_800,
      }),
    ]),
    job('documents', [
      command(
        'The documents: every command, and what it prints',
        ['node', 'tools/run-documents.mjs', ...(night ? [] : GATE.documents)],
        { withinS: 3_600 },
      ),
    ]),
    withHistory('kills', (history) =>
      killSteps(server('kills', history, NOW), history, { kills: night ? KILLS_AT_NIGHT : GATE.kills, seed }),
    ),
    job('lint', [command('Lint', ['npm', 'run', 'lint'], { withinS: 600 })]),
    withHistory('history-2014', (history) => stepsIn2014(server('in-2014', history, IN_2014), history, night)),
    withHistory('distributed-history', (history) =>
      (night ? FORMS : FORMS.slice(0, 1)).map(({ name, steps }) =>
        command(
          `The history through ${name} gives the digests of the standalone`,
          [
            ...[...WITH_SOURCES, 'tools/check-distributed.mjs', history.file],
            ...['--config', history.config, '--clock', NOW, ...(night ? [] : ['--events', '5000'])],
            ...steps.flatMap((areas) => ['--steps', areas]),
          ],
          { withinS: 1_500 },
        ),
      ),
    ),
    job('bench', [
      command('The candidates of the benchmark answer alike', ['npm', 'run', 'bench', '--', '--check'], {
        withinS: 300,
      }),
    ]),
    job('manifests', [
      kustomize(command),
      command('The manifests and what the processes read agree', ['npm', 'run', 'test:manifests'], { withinS: 300 }),
    ]),
    {
      name: 'tree',
      alone: true,
      steps: [{ title: 'The checkout is as it was', run: () => treeIs(tree) }],
    },
  ];
}

/**
 * Runs the tests as a user does: in a fresh clone of the last commit, with the command of the README as the first one.
 */
function testSteps(work, shell, command) {
  const clone = join(work, 'fresh-clone');
  return [
    command('A fresh clone of the last commit', cloneCommand('.', clone), { withinS: 300 }),
    step("README's test command in the fresh clone", async (log) => {
      const text = readmeTestCommand(readFileSync(join(clone, 'README.md'), 'utf8'));
      return shell.run(log, ['bash', '-ec', text], { cwd: clone, withinS: 5_400 });
    }),
  ];
}

/**
 * Jobs that take too long for every change. Most of them check what few changes affect: other releases of Node and
 * Postgres, containers, generated clients, secured brokers, PgBouncer. For the others, a shorter check runs with every
 * change: kills during an import and in the distributed suite (for faults), the history through six services (for the
 * other forms), the laws of reminders (for the reminders of the history), and tests of deliveries in `npm test` (for
 * what receivers get despite kills).
 */
function nightJobs(work, command, job) {
  // `npm exec` would put this Node into the home folder of root, which the accounts of the embedded database cannot
  // enter.
  const folder = join(work, 'newest-node');
  const installInto = (prefix) => [
    'npm',
    'install',
    '--prefix',
    prefix,
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const spectral = join(work, 'spectral');
  const bin = join(folder, 'node_modules/node/bin');
  const env = { PATH: `${bin}:${process.env.PATH}` };
  const jest = [
    ...['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'],
    '--workerIdleMemoryLimit=1GB',
  ];
  const postgres = ['node', 'tools/check-postgres.mjs', '--bin', POSTGRES_15];
  const containers = ['node', 'tools/check-containers.mjs', '--images', join(work, 'containers')];
  return [
    job('newest-node', [
      command(`Node ${NEWEST_LTS} from npm`, [...installInto(folder), `node@${NEWEST_LTS}`], { withinS: 300 }),
      command(`Every test on Node ${NEWEST_LTS}`, [join(bin, 'node'), ...jest], { withinS: 3_600, env }),
    ]),
    job('laws', [
      command(
        'The laws ten times, each time with a new seed',
        ['node', 'tools/repeat-tests.mjs', '--laws', '--new-seeds', '--times', '10'],
        { withinS: 10_800 },
      ),
    ]),
    job('new-area', [
      command('A new area touches few places, and every suite passes with it', ['node', 'tools/check-new-area.mjs'], {
        withinS: 5_400,
      }),
    ]),
    job('new-kind', [
      command(
        'A new kind of points trigger, and a type of outcome, touch few files, and each of their changes is asked for',
        ['node', 'tools/check-new-kind.mjs'],
        { withinS: 5_400 },
      ),
    ]),
    job('million', [
      command(
        'Every read on a million users',
        [process.execPath, ...jest, 'apps/standalone/src/read-buffers.db.test.ts'],
        {
          env: { LAUREL_LARGE: 'million' },
          withinS: 3_600,
        },
      ),
    ]),
    job('faults', [
      command('Faults: killed, frozen, cut off, without space', ['npm', 'run', 'test:faults'], {
        env: { LAUREL_FAULTS: 'long' },
        withinS: 3_600,
      }),
    ]),
    job('outgoing', [
      command('What receivers are sent, over kills of both sides', ['npm', 'run', 'test:outgoing'], { withinS: 1_200 }),
    ]),
    job('pooler', [
      {
        ...command('A PgBouncer', ['node', 'tools/ensure-pgbouncer.mjs'], { withinS: 300 }),
        orSkip: 'there is no PgBouncer, and none could be downloaded',
      },
      command('A database behind PgBouncer', ['npm', 'run', 'test:pooler'], { withinS: 900 }),
    ]),
    job('secured-brokers', [
      command('Brokers that ask for TLS, SASL, OAuth and client certificates', ['npm', 'run', 'test:secured'], {
        withinS: 900,
      }),
    ]),
    job('three-brokers', [
      command('The distributed topology on three brokers', ['npm', 'run', 'test:cluster'], { withinS: 900 }),
    ]),
    job('containers', [
      {
        ...command('A podman', ['node', 'tools/ensure-podman.mjs'], { withinS: 600 }),
        orSkip: 'there is no podman, and none could be installed',
      },
      command(
        'Every image, and the compose files under podman',
        [...containers, '--only', 'standalone', '--only', 'distributed'],
        {
          withinS: 3_600,
        },
      ),
      kustomize(command),
      command('The pods of the manifests under podman', [...containers, '--only', 'kubernetes'], { withinS: 1_800 }),
    ]),
    job('distributed-console', [
      browser(command),
      command('The console of the distributed topology', ['npm', 'run', 'test:distributed-console'], { withinS: 900 }),
    ]),
    ...Object.entries(CLIENTS).map(([name, { generator }]) => {
      const check = ['node', 'tools/generated-clients/check-client.mjs', name, join(work, `client-${name}`)];
      return job(`client-${name}`, [
        {
          ...command(`What ${generator} needs is here`, [...check, '--needs'], { withinS: 60 }),
          orSkip: `${generator} needs a tool that is not here`,
        },
        command(`The tools of ${generator}`, [...check, '--install'], { withinS: 900 }),
        command(`A client made by ${generator} records, reads and sends a batch`, check, { withinS: 1_200 }),
      ]);
    }),
    job('spectral', [
      command('Spectral from npm', [...installInto(spectral), '@stoplight/spectral-cli@6.16.3'], { withinS: 300 }),
      command(
        "The OpenAPI document has no error by Spectral's rules",
        [...WITH_SOURCES, 'tools/generated-clients/check-spectral.mjs', spectral],
        { withinS: 300 },
      ),
    ]),
    {
      ...job('oldest-postgres', [command('The tests of the database on Postgres 15', postgres, { withinS: 1_800 })]),
      ...(!existsSync(POSTGRES_15) && { skipped: `there is no ${POSTGRES_15}` }),
    },
  ];
}

const browser = (command) => ({
  ...command('A browser', ['node', 'tools/ensure-browser.mjs'], { withinS: 300 }),
  orSkip: 'there is no browser, and none could be installed',
});

const kustomize = (command) => ({
  ...command('A kustomize', ['node', 'tools/ensure-kustomize.mjs'], { withinS: 300 }),
  orSkip: 'there is no kustomize, and none could be built',
});

const step = (title, run) => ({ title, run });

/** @param {readonly string[]} files the whole suite if empty */
const suite = (script, files) => ['npm', 'run', script, ...(files.length === 0 ? [] : ['--', ...files])];

const upgradeStep = (command, { file, config }, from) =>
  command(
    `The history as ${from} stored it says the same after an upgrade, and nothing of it is told`,
    ['node', 'tools/check-upgrade.mjs', file, '--config', config, '--from', from],
    { withinS: 1_800 },
  );

const movesStep = (command, { file, config }) =>
  command(
    'A topology moved from form to form gives the digests of the standalone',
    [...WITH_SOURCES, 'tools/check-moves.mjs', file, '--config', config, '--clock', NOW],
    { withinS: 1_800 },
  );

const remindersStep = (command, { file, config }) =>
  command(
    'The history reminds whom a plain recount of it reminds',
    [...WITH_SOURCES, 'tools/check-reminders.mjs', file, '--config', config],
    { withinS: 3_600 },
  );

/**
 * Checks that the explanations of users' numbers add up to these numbers: for a fixed sample, and at night for all
 * users.
 */
const explained = (server, night) =>
  step('What explains the numbers of the users adds up to them', (log) =>
    server.run(log, [...WITH_SOURCES, 'tools/check-explanations.mjs', ...(night ? ALL_NUMBERS : SOME_NUMBERS)], {
      withinS: night ? 5_400 : 300,
    }),
  );

/** Checks the counts by day, length of streak, level and total. Keeps the recount for the rebuilds. */
const counted = (server) =>
  step('What is counted equals a plain recount of what is exported', (log) =>
    server.run(
      log,
      [
        ...['node', 'tools/check-counters.mjs', '--history', server.history.file, '--state', server.printedState],
        ...['--data-dir', server.dataDir, '--keep', server.recount],
      ],
      { withinS: 300 },
    ),
  );

/**
 * A rebuild of everything. At night also a rebuild of each area alone, which takes five times as long; `npm test` does
 * that with smaller histories.
 */
const rebuilt = (server, night) =>
  step(
    night
      ? 'Rebuilds, whole and area by area, give the digest and the counts that were there'
      : 'A rebuild gives the digest and the counts that were there',
    (log) =>
      server.run(
        log,
        [
          ...['node', 'tools/check-rebuild.mjs', '--data-dir', server.dataDir, '--recount', server.recount],
          ...(night ? ['--each-area'] : []),
        ],
        { withinS: 900 },
      ),
  );

function historySteps(server, history, night) {
  const imported = (counts) => (log) => server.importHistory(log, counts());
  const isExpected = (log) => server.stateEquals(log, history.expected);
  return [
    step('The server starts on an empty folder', () => server.start()),
    step(
      'The whole history goes in',
      imported(() => ({ recorded: history.lines(), known: 0, refused: 0 })),
    ),
    step('The state is the expected one', isExpected),
    counted(server),
    explained(server, night),
    step(
      'The same history goes in again',
      imported(() => ({ recorded: 0, known: history.lines(), refused: 0 })),
    ),
    step('The second import has changed nothing', isExpected),
    rebuilt(server, night),
    step('The rebuild has changed nothing', isExpected),
    step('The server stops', () => server.stop()),
  ];
}

/** Steps under a clock of 2014, for which the later lines of the history are in the future. */
function stepsIn2014(server, history, night) {
  const counts = () => {
    const recorded = history.events(history.expectedIn2014);
    return { recorded, known: 0, refused: history.lines() - recorded };
  };
  return [
    step('The server starts in May 2014', () => server.start()),
    step('Lines from the future are refused and reported', (log) => server.importHistory(log, counts())),
    step('The state is the expected one of May 2014', (log) => server.stateEquals(log, history.expectedIn2014)),
    counted(server),
    explained(server, night),
    step('The server of May 2014 stops', () => server.stop()),
  ];
}

function killSteps(server, history, { kills, seed }) {
  const crashImport = ['node', 'tools/crash-import.mjs', history.file, '--config', history.config];
  const options = ['--kills', String(kills), '--seed', String(seed), '--data-dir', server.dataDir];
  return [
    step(`The history goes in, with ${kills} kills`, (log) =>
      server.run(log, [...crashImport, ...options], { withinS: 300 + 60 * kills }),
    ),
    step('The server starts after the kills', () => server.start()),
    step('The state is that of an undisturbed import', (log) => server.stateEquals(log, history.expected)),
    step('The server stops after the kills', () => server.stop()),
  ];
}

function treeOf() {
  const { status, stdout } = spawnSync('git', ['status', '--porcelain'], { encoding: 'utf8' });
  if (status !== 0) throw new Error('git status does not answer');
  return stdout;
}

async function treeIs(before) {
  const now = treeOf();
  if (now !== before) throw new Error(`the run has changed the checkout:\n${now}`);
}
