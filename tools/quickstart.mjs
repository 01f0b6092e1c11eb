// Does what README says, in a fresh clone of the last commit: node tools/quickstart.mjs [REPOSITORY]
//
// The commands are those of the code blocks between <!-- ci:quickstart --> and <!-- /ci:quickstart -->, each as it stands
// there, but for what depends on the machine: `git clone` takes this repository, `npm start` runs beside the rest on a
// free port, and a curl of README is replaced by the line that the banner prints. The answer must be 201 and say
// what the event caused.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { freePort, start, stop, waitUntil } from './processes.mjs';

const BANNER_WITHIN_MS = 10 * 60_000;
const COMMAND_WITHIN_MS = 15 * 60_000;
const STOPPED_WITHIN_MS = 60_000;
const CAUSED = ['achievements', 'currentStreak', 'points', 'leaderboards'];

const repository = resolve(process.argv[2] ?? '.');
const folder = mkdtempSync(join(tmpdir(), 'quickstart-'));
// As root, Postgres runs as another user, who must be able to pass through.
chmodSync(folder, 0o755);
const clone = join(folder, 'laurel');
const log = join(folder, 'npm-start.log');
const env = await surroundings();
let server = null;

/** Nothing that is set here for Laurel, but a port that nobody has. */
async function surroundings() {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('LAUREL_'));
  // Every curl says its status on a last line; what was pasted stays as it is.
  writeFileSync(join(folder, '.curlrc'), 'silent\nshow-error\nwrite-out = "\\n%{http_code}"\n');
  return { ...Object.fromEntries(own), LAUREL_PORT: String(await freePort()), CURL_HOME: folder };
}

function documentedCommands() {
  const readme = readFileSync(join(clone, 'README.md'), 'utf8');
  const parts = [...readme.matchAll(/<!-- ci:quickstart -->([\s\S]*?)<!-- \/ci:quickstart -->/g)];
  const blocks = parts.flatMap(([, part]) => [...part.matchAll(/^```(?:sh|bash|console|shell)\n([\s\S]*?)^```/gm)]);
  const commands = blocks.flatMap(([, block]) => commandsOf(block));
  if (!commands.some(isStart)) throw new Error('README.md has no npm start between its ci:quickstart comments');
  return commands;
}

const commandsOf = (block) =>
  block
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/^\s*\$ /, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

const isStart = (command) => /^npm (?:run )?start\b/.test(command);

async function follow(command) {
  console.log(`\n$ ${command}`);
  if (/^(?:git clone|cd) /.test(command)) return;
  if (isStart(command)) await startServer(command);
  else if (!command.startsWith('curl ')) run(command);
}

async function startServer(command) {
  server = start(command, 'bash', ['-c', command], { cwd: clone, env, log });
  await waitUntil(() => bannerCurl() !== null, 'a banner with a curl line', {
    limitMs: BANNER_WITHIN_MS,
    program: server,
  });
  console.log(readFileSync(log, 'utf8'));
  checkAnswer(run(bannerCurl()));
}

/** Also one that goes on over several lines, as bash takes it; not one that is still being printed. */
function bannerCurl() {
  const output = stripVTControlCharacters(readFileSync(log, 'utf8'));
  const [line] = /^[ \t]*curl (?:.*\\\n)*.*\n/m.exec(output) ?? [];
  return line?.trim() ?? null;
}

function run(command) {
  const { status, signal, stdout, stderr } = spawnSync('bash', ['-c', command], {
    cwd: clone,
    env,
    encoding: 'utf8',
    timeout: COMMAND_WITHIN_MS,
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 28,
  });
  console.log(stdout + stderr);
  if (status !== 0) throw new Error(`${command}: ended with ${status ?? signal}`);
  return stdout;
}

function checkAnswer(output) {
  const lines = output.trimEnd().split('\n');
  const status = lines.pop();
  if (status !== '201') throw new Error(`201 expected, got ${status}`);
  const body = JSON.parse(lines.join('\n').slice(lines.join('\n').indexOf('{')));
  const empty = CAUSED.filter((field) => Object.keys(body[field] ?? {}).length === 0);
  if (empty.length > 0) throw new Error(`the answer has no ${empty.join(', ')}`);
  console.log(`201 with ${CAUSED.join(', ')}`);
}

async function quickstart() {
  const cloned = spawnSync('git', ['clone', '--quiet', '--no-hardlinks', repository, clone], { stdio: 'inherit' });
  if (cloned.status !== 0) throw new Error(`cannot clone ${repository}`);
  for (const command of documentedCommands()) await follow(command);
  await stop(server, { limitMs: STOPPED_WITHIN_MS });
  server = null;
}

/** Whatever went wrong, the server does not outlive this. */
async function end() {
  if (server) await stop(server, { limitMs: STOPPED_WITHIN_MS }).catch(({ message }) => console.error(message));
}
for (const name of ['SIGINT', 'SIGTERM']) {
  process.once(name, () => void end().then(() => process.exit(130)));
}

try {
  await quickstart();
} catch (error) {
  console.error(`quickstart: ${error.message}`);
  if (existsSync(log)) console.error(readFileSync(log, 'utf8').split('\n').slice(-40).join('\n'));
  await end();
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
