// Gets the jar files of a Kafka broker by Maven, once per checkout. As a program: node tools/kafka/fetch-kafka.mjs
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const POM = fileURLToPath(new URL('./pom.xml', import.meta.url));
const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));
const WHAT_ELSE = 'or name a running broker with LAUREL_KAFKA_BROKERS=host:port';
/** The oldest version of Java that Kafka 4 runs on. */
const JAVA = 17;

/**
 * @param {(line: string) => void} [progress] gets a line about each step that takes time
 * @returns {Promise<string>} the folder with the jar files; several processes may call this at the same time
 * @throws {Error} with advice on what to install, or with the output of Maven
 */
export async function fetchKafka(progress = () => undefined) {
  requireJava();
  const folder = cacheFolder();
  if (existsSync(folder)) return folder;
  requireMaven();
  progress('Getting Kafka by Maven (45 MB, once; a few minutes on a slow line) ...');
  mkdirSync(dirname(folder), { recursive: true });
  const incoming = mkdtempSync(`${folder}-`);
  try {
    await copyJars(incoming);
    moveInto(incoming, folder);
  } finally {
    rmSync(incoming, { recursive: true, force: true });
  }
  progress(`Kafka is in ${folder}`);
  return folder;
}

/** The folder depends on the pom, so that a changed version gets a new folder. */
function cacheFolder() {
  const version = createHash('sha256').update(readFileSync(POM)).digest('hex').slice(0, 12);
  return join(isWritable(CHECKOUT) ? join(CHECKOUT, '.laurel') : join(tmpdir(), 'laurel'), 'kafka', version);
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function requireJava() {
  const { error, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  if (error) throw new Error(`Kafka needs Java ${JAVA} or newer, and there is no java here: install it, ${WHAT_ELSE}`);
  const major = Number(/version "(\d+)/.exec(stderr)?.[1]);
  if (major < JAVA) throw new Error(`Kafka needs Java ${JAVA} or newer, this is ${major}: install it, ${WHAT_ELSE}`);
}

function requireMaven() {
  if (spawnSync('mvn', ['--version']).error)
    throw new Error(`Kafka is fetched by Maven, and there is no mvn here: install it, ${WHAT_ELSE}`);
}

async function copyJars(folder) {
  const args = ['-B', '-q', '-f', POM, 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`];
  const maven = spawn('mvn', [...args, '-DincludeScope=runtime'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [maven.stdout, maven.stderr]) stream.on('data', (data) => (said += data));
  const status = await new Promise((resolve, reject) => maven.once('error', reject).once('close', resolve));
  if (status !== 0) throw new Error(`mvn could not get Kafka (exit code ${status}): ${said.trim()}`);
}

/** Moves the folder in one step. If another process was faster, its folder is just as good. */
function moveInto(incoming, folder) {
  try {
    renameSync(incoming, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await fetchKafka(console.log).then(console.log, (error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
