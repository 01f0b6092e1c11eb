// Generates a client from the document of a running service, compiles it and runs it:
//   node tools/generated-clients/check-client.mjs NAME FOLDER [--needs | --install]
// With --needs it only checks whether this machine has the needed programs, with --install it only installs the tools
// of the client into the folder. Without either it needs the built service.
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { withStandalone } from '../with-standalone.mjs';
import { CLIENTS } from './clients.mjs';

const API_KEY = 'a key for generated clients';
const USER = 'Ada Lovelace/1';
/** 2^24 + 1, which a floating-point number of 32 bits cannot represent. */
const VALUE = 16_777_217;

const [name, folder, mode] = process.argv.slice(2);
const client = CLIENTS[name];
if (client === undefined || folder === undefined)
  throw new Error(`say which client, and where: ${Object.keys(CLIENTS).join(', ')}`);
mkdirSync(folder, { recursive: true });
const env = { ...process.env, ...client.env?.(folder) };

const exec = promisify(execFile);

async function run([command, ...words], more = {}) {
  console.log(`> ${command} ${words.join(' ')}`);
  const options = { cwd: folder, env: { ...env, ...more }, maxBuffer: 64 * 1024 * 1024 };
  try {
    return (await exec(command, words, options)).stdout;
  } catch (error) {
    console.error(error.stdout, error.stderr);
    throw error;
  }
}

async function check() {
  rmSync(join(folder, 'laurel'), { recursive: true, force: true });
  await withStandalone({ apiKey: API_KEY }, async ({ url }) => {
    const headers = { 'x-api-key': API_KEY };
    const ask = async (path) => (await fetch(url + path, { headers })).json();
    const document = join(folder, 'openapi.json');
    writeFileSync(document, JSON.stringify(await described(ask)));
    for (const command of client.make(folder, document)) await run(command);
    const printed = await run(client.run(folder), { LAUREL_URL: url, LAUREL_API_KEY: API_KEY, USER_ID: USER });
    const { points, ...answers } = JSON.parse(printed);
    const expected = { total: VALUE, current: VALUE, accepted: 2, statuses: [201, 201] };
    if (!isDeepStrictEqual(answers, expected) || !(points.xp > 0))
      throw new Error(`the client was answered ${printed}`);
    const { current } = await ask(`/v1/users/${encodeURIComponent(USER)}/metrics/lessons`);
    if (current !== VALUE + 1.5) throw new Error(`the service has ${current}`);
  });
  console.log(`the client of ${client.generator} works`);
}

async function described(ask) {
  const document = await ask('/openapi.json');
  if (client.without === undefined) return document;
  const tags = document.tags.map(({ name: tag }) => tag).filter((tag) => tag !== client.without);
  return ask(`/openapi.json?tags=${tags.join()}`);
}

/** Prints which needed programs are missing, and sets the exit code 1 if any is. */
function look() {
  const missing = client.needs.filter(([command, ...words]) => spawnSync(command, words, { env }).status !== 0);
  for (const [command, ...words] of missing)
    console.error(`${client.generator} needs ${command}, which is not here: ${[command, ...words].join(' ')} fails`);
  if (missing.length > 0) process.exitCode = 1;
}

if (mode === '--needs') look();
else if (mode === '--install') for (const command of client.install(folder)) await run(command);
else await check();
