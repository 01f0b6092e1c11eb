import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort } from '../processes.mjs';
import { compareOutput } from './compare-output.mjs';
import { parseDocument, piecesOf } from './parse-document.mjs';
import { Session } from './session.mjs';

/** What `curl` ends with if it is answered 400 or more (`fail-with-body`). */
const CURL_REFUSED = 22;
const SHOWN_KEY = 'lrl_…';
const ADDRESS = 'ADDRESS_OF_THIS_REPOSITORY';

/**
 * Does what a document says. Ports that it names are other ones here, free ones; and what was printed differently from what the
 * document shows, such as an id, goes into later commands as it really was.
 *
 * @param {string} markdown
 * @param {{ cwd: string, folder: string, env: Record<string, string>, repository: string }} surroundings `folder`: for files of the run
 * @returns {Promise<{ commands: number, compared: number, skipped: object[], unused: object[] }>}
 * @throws {Error} with the line of what went wrong
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
  // Errors are what a command shows that has nothing else to show.
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

/** The key that was shown last stands for `lrl_…` in later commands. */
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

/** What stands in the document, and what it is here. */
class Texts {
  #ports;
  #repository;
  /** Ids and keys, as they were really printed. */
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

  /** An output as it must be here; ids and keys stand for themselves. */
  expected(text) {
    return text.replace(PORT, (port) => this.port(port)).replaceAll(ADDRESS, this.#repository);
  }

  /** Commands, or what goes into a file. */
  actual(text) {
    // Longest first: an abbreviation may be the beginning of another text.
    return [...this.known]
      .sort(([one], [other]) => other.length - one.length)
      .reduce((replaced, [written, actual]) => replaced.replaceAll(written, actual), this.expected(text));
  }
}

/** @returns {Promise<Map<string, string>>} each port of this machine that the document names, and a free one for it */
async function portsOf(markdown) {
  const ports = new Map();
  for (const port of ['3000', ...[...markdown.matchAll(PORT)].map(([port]) => port)])
    if (!ports.has(port)) ports.set(port, String(await freePort()));
  return ports;
}
