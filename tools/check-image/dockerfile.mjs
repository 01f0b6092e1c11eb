// Reads a Dockerfile into steps. Only what the checks can carry out is let through: an instruction, a flag or a form that
// is not known here is an error, never skipped.
import { DockerfileParser } from 'dockerfile-ast';

const FLAGS = {
  COPY: ['from'],
  HEALTHCHECK: ['interval', 'timeout', 'start-period', 'retries'],
};

/**
 * @typedef {object} Step with its line, counted from 1, and one of the types below
 * @typedef {{ name: string | null, from: string, line: number, steps: Step[] }} Stage
 *
 * @param {string} text
 * @returns {{ globals: Map<string, string | null>, stages: Stage[] }} `globals`: arguments before the first stage, with their defaults
 * @throws {Error} with the line of what cannot be carried out
 */
export function readDockerfile(text) {
  const file = DockerfileParser.parse(text);
  if (file.getDirectives().length > 0) throw new Error('line 1: parser directives are not known here');
  const globals = new Map();
  const stages = [];
  for (const instruction of file.getInstructions()) {
    const line = instruction.getRange().start.line + 1;
    const refuse = (why) => {
      throw new Error(`line ${line}: ${instruction.getKeyword()} ${why}`);
    };
    if (instruction.getHeredocs().length > 0) refuse('with a here-document is not known here');
    const step = { ...readStep(instruction, refuse), line };
    if (step.type === 'from') stages.push({ name: step.name, from: step.image, line, steps: [] });
    else if (stages.length > 0) stages.at(-1).steps.push(step);
    else if (step.type === 'arg') globals.set(step.name, step.fallback);
    else refuse('stands before the first FROM');
  }
  if (stages.length === 0) throw new Error('no FROM');
  return { globals, stages };
}

function readStep(instruction, refuse) {
  const keyword = instruction.getKeyword();
  const flags = readFlags(instruction, refuse);
  const words = instruction.getArguments().map((argument) => argument.getValue());
  const content = instruction.getRawArgumentsContent() ?? '';
  switch (keyword) {
    case 'FROM':
      return readFrom(words, refuse);
    case 'ARG':
      return readArg(instruction, refuse);
    case 'ENV':
      return { type: 'env', entries: instruction.getProperties().map((entry) => readEntry(entry, refuse)) };
    case 'WORKDIR':
      return { type: 'workdir', path: only(words, refuse) };
    case 'COPY':
      return readCopy(words, flags, refuse);
    case 'RUN':
      return { type: 'run', command: readCommand(content, refuse) };
    case 'USER':
      return { type: 'user', ...readUser(only(words, refuse), refuse) };
    case 'EXPOSE':
      return { type: 'expose', port: only(words, refuse) };
    case 'HEALTHCHECK':
      return { type: 'healthcheck', flags, argv: readHealthcheck(content, refuse) };
    case 'ENTRYPOINT':
    case 'CMD':
      return { type: keyword.toLowerCase(), argv: readArgv(content, refuse) };
    default:
      return refuse('is not known here');
  }
}

function readFlags(instruction, refuse) {
  const known = FLAGS[instruction.getKeyword()] ?? [];
  const flags = new Map((instruction.getFlags?.() ?? []).map((flag) => [flag.getName(), flag.getValue()]));
  for (const name of flags.keys()) if (!known.includes(name)) refuse(`--${name} is not known here`);
  return flags;
}

const only = (words, refuse) => (words.length === 1 ? words[0] : refuse('takes one word here'));

function readFrom(words, refuse) {
  const [image, as, name] = words;
  if (words.length === 1) return { type: 'from', image, name: null };
  if (words.length !== 3 || as.toUpperCase() !== 'AS') return refuse('is `FROM IMAGE [AS NAME]` here');
  return { type: 'from', image, name };
}

function readArg(instruction, refuse) {
  const [property, ...others] = instruction.getProperties();
  if (property === undefined || others.length > 0) return refuse('declares one argument here');
  return { type: 'arg', name: property.getName(), fallback: property.getValue() };
}

function readEntry(entry, refuse) {
  if (entry.getValue() === null) refuse('is NAME=VALUE here');
  return [entry.getName(), entry.getValue()];
}

function readCopy(words, flags, refuse) {
  if (words.length < 2) refuse('needs a source and a destination');
  if (words.some((word) => /[*?[\]"]/.test(word))) refuse('takes plain paths here, no patterns');
  return { type: 'copy', from: flags.get('from') ?? null, sources: words.slice(0, -1), destination: words.at(-1) };
}

/** There is no root file system in which the command would run, so it may name no absolute path. */
function readCommand(content, refuse) {
  if (content.trimStart().startsWith('[')) refuse('has the shell form here');
  if (/(?:^|[\s"'=:;&|(<>])\//.test(content)) refuse('may name no absolute path here: use WORKDIR');
  return content;
}

function readUser(word, refuse) {
  const [, uid, gid] = /^(\d+):(\d+)$/.exec(word) ?? refuse('is UID:GID, in numbers, here');
  return { uid: Number(uid), gid: Number(gid) };
}

function readHealthcheck(content, refuse) {
  const [, command] = /^(?:--\S+\s+)*CMD\s+(\[.*\])$/s.exec(content.trim()) ?? refuse('is CMD ["…"] here');
  return readArgv(command, refuse);
}

/** Without the exec form a shell would be process 1, and keep the signals. */
function readArgv(content, refuse) {
  try {
    const argv = JSON.parse(content);
    if (Array.isArray(argv) && argv.length > 0 && argv.every((word) => typeof word === 'string')) return argv;
  } catch {
    // Refused below.
  }
  return refuse('has the exec form here: ["program", "argument"]');
}

/**
 * Puts in `${NAME}`. Other forms of substitution are refused.
 * @param {string} text
 * @param {ReadonlyMap<string, string>} values
 */
export function substitute(text, values) {
  const replaced = text.replace(/\$\{([A-Za-z_]\w*)\}/g, (_, name) => {
    if (!values.has(name)) throw new Error(`\${${name}} has no value`);
    return values.get(name);
  });
  if (/\$/.test(text.replace(/\$\{[A-Za-z_]\w*\}/g, ''))) throw new Error(`only \${NAME} is known here: ${text}`);
  return replaced;
}
