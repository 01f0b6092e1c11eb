/**
 * The steps of a document, according to the conventions in README.md beside this file.
 *
 * @typedef {{ line: number, language: string, text: string }} Block `line` is the number of its first line of text
 * @typedef {Block & { type: 'file', name: string }} FileStep
 * @typedef {Block & { type: 'commands', exits: number, output: Block | null }} CommandsStep
 * @typedef {Block & { type: 'skipped', reason: string }} SkippedStep
 * @typedef {{ clock: string | null, steps: (FileStep | CommandsStep | SkippedStep)[], unused: Block[] }}
 *   RunnableDocument `unused`: blocks of output that follow no commands
 */

const SHELL = new Set(['sh', 'bash']);
const OUTPUT = new Set(['text', 'json', 'jsonc']);
const EXTENSIONS = new Map([
  ['yaml', ['yaml', 'yml']],
  ['yml', ['yaml', 'yml']],
  ['json', ['json']],
  ['ndjson', ['ndjson']],
]);

/** The beginning of a command that a reader would type. */
const TYPED = /^(?:laurel|npm|npx|node|curl|docker|kubectl) /;

/**
 * @returns {RunnableDocument}
 * @throws {Error} with the line if a block is never closed, a block of shell commands is not named `sh`, or prose
 *   contains a command in a document that must run every one
 */
export function parseDocument(markdown) {
  const document = { clock: null, steps: [], unused: [] };
  for (const part of partsOf(markdown)) {
    if (part.clock) document.clock = part.clock;
    else takeBlock(document, part);
  }
  return document;
}

function takeBlock({ steps, unused }, { block, before }) {
  const { line, language } = block;
  const name = fileName(block, before.paragraph);
  const last = steps.at(-1);
  if (SHELL.has(language)) steps.push(commandsOrSkipped(block, before));
  else if (['shell', 'console', 'zsh'].includes(language))
    throw new Error(`line ${line}: commands are in blocks of sh`);
  else if (name !== null) steps.push({ type: 'file', name, ...block });
  else if (OUTPUT.has(language) && before.reason === null) {
    const isOutput = last?.type === 'commands' && last.output === null && (before.isOutput || before.followsBlock);
    if (isOutput) last.output = block;
    else if (last?.type !== 'skipped') unused.push(block);
  }
}

const commandsOrSkipped = (block, { reason, exits }) =>
  reason === null ? { type: 'commands', ...block, exits, output: null } : { type: 'skipped', reason, ...block };

/**
 * The name of the file that a block contains: `laurel.yaml` for "Your own is one file, `laurel.yaml`:" before a block
 * of yaml.
 */
function fileName({ language }, paragraph) {
  if (!paragraph.endsWith(':')) return null;
  const names = [...paragraph.matchAll(/`([\w-][\w.-]*\.(\w+))`/g)];
  return names.find(([, , extension]) => EXTENSIONS.get(language)?.includes(extension))?.[1] ?? null;
}

/** The blocks, each with the text since the block before it; and the document's clock. */
function* partsOf(markdown) {
  const lines = markdown.split('\n');
  const runsEvery = lines.some((line) => /^<!--\s*every command is run\s*-->$/.test(line));
  let before = nothingBefore(false);
  for (let index = 0; index < lines.length; index++) {
    const fence = /^(\s*)(`{3,}|~{3,})\s*([\w-]*)/.exec(lines[index]);
    if (fence) {
      const end = lines.findIndex((line, at) => at > index && line.trim() === fence[2]);
      if (end < 0) throw new Error(`line ${index + 1}: a block that is never closed`);
      const text = lines
        .slice(index + 1, end)
        .map((line) => (line.startsWith(fence[1]) ? line.slice(fence[1].length) : line));
      yield { block: { line: index + 2, language: fence[3], text: text.map((line) => `${line}\n`).join('') }, before };
      before = nothingBefore(true);
      index = end;
      continue;
    }
    const typed = [...lines[index].matchAll(/`([^`]+)`/g)].find(([, code]) => runsEvery && TYPED.test(code));
    if (typed) throw new Error(`line ${index + 1}: ${typed[0]} is not run: put it in a block of sh`);
    const comment = /^\s*<!--\s*(.*?)\s*-->\s*$/.exec(lines[index])?.[1];
    if (comment === undefined) noteText(before, lines[index].trim());
    else if (/^clock: /.test(comment)) yield { clock: comment.slice('clock: '.length) };
    else noteDirective(before, comment);
  }
}

const nothingBefore = (followsBlock) => ({ paragraph: '', reason: null, isOutput: false, exits: 0, followsBlock });

/**
 * Adds a line of text. A blank line ends a paragraph, but the last paragraph before a block is still the one that
 * belongs to it.
 */
function noteText(before, line) {
  if (line === '') before.isOver = true;
  else {
    before.paragraph = before.isOver ? line : `${before.paragraph} ${line}`.trim();
    before.isOver = false;
    before.followsBlock = false;
  }
}

function noteDirective(before, comment) {
  const [, reason] = /^not run: (.+)/.exec(comment) ?? [];
  const [, exits] = /^exits with (\d+)$/.exec(comment) ?? [];
  if (reason) before.reason = reason;
  if (exits) before.exits = Number(exits);
  if (comment === 'output') before.isOutput = true;
}

/**
 * Splits the commands of a block into pieces: commands that the shell runs unchanged, a start of the service, and its
 * end.
 *
 * @returns {({ type: 'run', text: string } | { type: 'start', command: string } | { type: 'stop' })[]}
 */
export function piecesOf(text) {
  const pieces = [];
  for (const line of logicalLines(text)) {
    const last = pieces.at(-1);
    if (/^\s*# Ctrl-C/.test(line)) pieces.push({ type: 'stop' });
    else if (/^\s*(?:\w+=\S*\s+)*npm (?:run )?start\s*(?:&\s*)?(?:#.*)?$/.test(line.replaceAll('\\\n', ' ')))
      pieces.push({ type: 'start', command: line.replace(/&?\s*(?:#.*)?$/, '').trim() });
    else if (last?.type === 'run') last.text += `${line}\n`;
    else pieces.push({ type: 'run', text: `${line}\n` });
  }
  return pieces.filter(({ type, text: piece }) => type !== 'run' || /^\s*[^\s#]/m.test(piece));
}

/** The lines of a text; lines that a backslash joins are one. */
const logicalLines = (text) => text.replace(/\n$/, '').split(/(?<!\\)\n/);
