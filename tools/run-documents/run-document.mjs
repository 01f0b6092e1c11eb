import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../processes.mjs';
import { compareOutput } from './compare-output.mjs';
import { parseDocument, piecesOf } from './parse-document.mjs';
import { Session } from './session.mjs';

/** The exit code of `curl` if the response has status 400 or more (`fail-with-body`). */
const CURL_REFUSED = 22;
const SHOWN_KEY = 'lrl_…';
const ADDRESS = 'ADDRESS_OF_THIS_REPOSITORY';

/**
 * Executes the steps of a document. Ports in the document are replaced by free ones. Texts that the real output shows
 * differently from the document, such as ids, are replaced by the real ones in later commands.
 *
 * @param {string} markdown
 * @param {{ cwd: string, folder: string, env: Record<string, string>, repository: string }} surroundings `folder`: for
 *   files of the run
 * @returns {Promise<{ commands: number, compared: number, skipped: object[], unused: object[] }>}
 * @throws {Error} with the line in the document
 */
export async function runDocument(markdown, { cwd, folder, env, repository }) {
  const { clock, steps, unused } = parseDocument(markdown);
  const texts = new Texts(await portsOf(markdown), repository);
  const session = new Session(folder, { cwd, env: surroundings(env, clock, texts) });
  const done = { commands: 0, compared: 0, skipped: steps.filter(({ type }) => type === 'skipped'), unused };
  try {
    for (const step of steps) await follow(step, { session, texts, clock, done });
  } finally {
    await session.close();
  }
  return done;
}

function surroundings(env, clock, texts) {
  return { ...env, LAUREL_PORT: texts.port('3000'), ...(clock !== null && { LAUREL_CLOCK: clock }) };
}

async function follow(step, run) {
  try {
    if (step.type === 'file') await writeFile(step, run);
    if (step.type === 'commands') await runCommands(step, run);
  } catch (error) {
    throw new Error(`line ${step.line}: ${error.message}`, { cause: error });
  }
}

async function writeFile({ name, text }, { session, texts }) {
  const { stdout } = await session.run('pwd');
  const path = join(stdout.trim(), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, texts.actual(text));
  console.log(`\nwrote ${name}`);
}

async function runCommands(step, run) {
  const { texts, done, clock } = run;
  const outcomes = [];
  for (const piece of piecesOf(texts.actual(step.text))) outcomes.push(await runPiece(piece, run));
  done.commands += step.text.split('\n').filter((line) => /^\s*[^\s#]/.test(line)).length;
  const [stdout, stderr] = ['stdout', 'stderr'].map((stream) => outcomes.map((one) => one[stream]).join(''));
  checkStatus(step, outcomes, `${stdout}${stderr}`);
  if (step.output === null) return;
  // The standard error is compared if a command prints nothing else.
  const { differences, learned } = compareOutput(
    { ...step.output, text: texts.expected(step.output.text) },
    stdout.trim() === '' ? stderr : stdout,
    { clock, known: texts.known },
  );
  if (differences.length > 0)
    throw new Error(
      `it prints something else than is shown from line ${step.output.line} on:\n${differences.join('\n')}`,
    );
  texts.learn(learned);
  done.compared++;
}

async function runPiece(piece, { session, texts }) {
  if (piece.type === 'stop') {
    await session.stopService();
    return { stdout: '', stderr: '', status: 0, failed: [] };
  }
  console.log(`\n$ ${(piece.text ?? piece.command).trim()}`);
  const outcome = piece.type === 'start' ? await session.startService(piece.command) : await session.run(piece.text);
  console.log(`${outcome.stdout}${outcome.stderr}`.trimEnd());
  texts.learn(keyIn(outcome.stdout));
  return outcome;
}

/** The key that was printed last replaces `lrl_…` in later commands. */
function keyIn(text) {
  const key = [...text.matchAll(/lrl_[0-9A-Za-z]+/g)].at(-1)?.[0];
  return key === undefined ? new Map() : new Map([[SHOWN_KEY, key]]);
}

function checkStatus({ exits, output }, outcomes, printed) {
  const failed = outcomes.flatMap((outcome) => outcome.failed);
  const isShown = ({ status, command }) => output !== null && status === CURL_REFUSED && command.startsWith('curl');
  const unexpected = failed.find((one) => !isShown(one) && !(exits !== 0 && one.status === exits));
  if (unexpected) throw new Error(`\`${unexpected.command}\` ended with ${unexpected.status}:\n${printed}`);
  const last = outcomes.at(-1)?.status ?? 0;
  if (exits !== 0 && last !== exits) throw new Error(`it ended with ${last}, expected ${exits}:\n${printed}`);
}

const PORT = /(?<=(?:127\.0\.0\.1|localhost|0\.0\.0\.0):|LAUREL_PORT=)\d{4,5}\b/g;

/** Translates texts of the document into those of this run. */
class Texts {
  #ports;
  #repository;
  /** Ids and keys: text in the document → text in the real output. */
  known = new Map();

  constructor(ports, repository) {
    this.#ports = ports;
    this.#repository = repository;
  }

  port(documented) {
    return this.#ports.get(documented) ?? documented;
  }

  learn(printed) {
    for (const [written, actual] of printed) this.known.set(written, actual);
  }

  /** The expected output, with the ports of this run; ids and keys are not replaced. */
  expected(text) {
    return text.replace(PORT, (port) => this.port(port)).replaceAll(ADDRESS, this.#repository);
  }

  /** Commands, or the content of a file, with all texts replaced. */
  actual(text) {
    // The longest texts are replaced first, because one text may be the beginning of another.
    return [...this.known]
      .sort(([one], [other]) => other.length - one.length)
      .reduce((replaced, [written, actual]) => replaced.replaceAll(written, actual), this.expected(text));
  }
}

/** @returns {Promise<Map<string, string>>} each port of this machine in the document → a free port */
async function portsOf(markdown) {
  const ports = new Map();
  for (const port of ['3000', ...[...markdown.matchAll(PORT)].map(([port]) => port)])
    if (!ports.has(port)) ports.set(port, String(await freePort()));
  return ports;
}
