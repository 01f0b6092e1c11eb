import { ANYTHING, parseLooseJson } from './loose-json.mjs';

/**
 * Kinds of text that are different at each run. `alike` decides whether two texts of a kind match. A text of a
 * `learned` kind is remembered, because later commands of the document may use it.
 */
const KINDS = [
  { name: 'uuid', pattern: '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}', learned: true },
  { name: 'key', pattern: 'lrl_[0-9A-Za-z]+…?|lrl_…', found: 'lrl_[0-9A-Za-z]+', learned: true },
  { name: 'instant', pattern: '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(?::\\d\\d(?:\\.\\d+)?)?Z', alike: aboutTheSame },
  { name: 'date', pattern: '\\d{4}-\\d\\d-\\d\\d', alike: (one, other, { clock }) => clock === null || one === other },
  { name: 'amount', pattern: '\\d[\\d,.]*(?: ?(?:ms|s|min|h|B|[kKMG]i?B)|/s)(?![\\w/])' },
  { name: 'digest', pattern: '[0-9a-f]{16,64}(?![\\w-])' },
];
const VOLATILE = new RegExp(KINDS.map(({ name, pattern }) => `(?<${name}>(?<![\\w.-])(?:${pattern}))`).join('|'), 'g');
const HOUR_MS = 3_600_000;

/**
 * Whether two instants are close enough. A document with a clock starts its services at that instant, and no document
 * takes an hour.
 */
function aboutTheSame(one, other, { clock }) {
  return clock === null || Math.abs(Date.parse(one) - Date.parse(other)) <= HOUR_MS;
}

/**
 * Compares the output with the one in the document.
 *
 * @param {{ language: string, text: string }} expected
 * @param {{ clock: string | null, known: Map<string, string> }} setting `known`: what earlier outputs of this document
 *   have taught
 * @returns {{ differences: string[], learned: Map<string, string> }} `learned`: text in the document → text in the real
 *   output
 */
export function compareOutput(expected, printed, setting) {
  const comparison = { setting, differences: [], learned: new Map() };
  const json = bothJson(expected, printed);
  if (json) compareValues(comparison, json.expected, json.found, '$');
  else compareTexts(comparison, tidy(expected.text), tidy(withoutNpm(printed)));
  return { differences: comparison.differences, learned: comparison.learned };
}

/** A block of json must be JSON; a block of text may be. */
function bothJson({ language, text }, printed) {
  try {
    return { expected: parseLooseJson(text), found: JSON.parse(withoutNpm(printed)) };
  } catch (error) {
    if (language === 'text') return null;
    throw new Error(`no JSON was printed, or none is shown (${error.message}):\n${printed}`, { cause: error });
  }
}

function compareValues(comparison, expected, found, path) {
  if (expected === ANYTHING) return;
  if (expected instanceof Map && isObject(found)) compareObjects(comparison, expected, found, path);
  else if (Array.isArray(expected) && Array.isArray(found)) compareLists(comparison, expected, found, path);
  else if (typeof expected === 'string' && typeof found === 'string' && isMatch(comparison, expected, found)) return;
  else if (expected !== found)
    comparison.differences.push(`${path}: expected ${shown(expected)}, found ${JSON.stringify(found)}`);
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const shown = (expected) =>
  expected instanceof Map ? 'an object' : Array.isArray(expected) ? 'a list' : JSON.stringify(expected);

function compareObjects(comparison, expected, found, path) {
  const members = new Map(Object.entries(found));
  for (const [name, value] of expected) {
    if (members.has(name)) compareValues(comparison, value, members.get(name), `${path}.${name}`);
    else comparison.differences.push(`${path}.${name}: is not there`);
  }
  if (!expected.isOpen)
    for (const name of members.keys())
      if (!expected.has(name)) comparison.differences.push(`${path}.${name}: is not in the document`);
}

/** Elements before the first `…` must be at the beginning, and elements after the last `…` at the end. */
function compareLists(comparison, expected, found, path) {
  const before = expected.includes(ANYTHING) ? expected.indexOf(ANYTHING) : expected.length;
  const behind = expected.length - 1 - expected.lastIndexOf(ANYTHING);
  const isOpen = before < expected.length;
  if (isOpen ? found.length < before + behind : found.length !== expected.length) {
    comparison.differences.push(
      `${path}: expected ${isOpen ? before + behind : before} elements, found ${found.length}`,
    );
    return;
  }
  for (let index = 0; index < before; index++)
    compareValues(comparison, expected[index], found[index], `${path}[${index}]`);
  for (let index = 1; isOpen && index <= behind; index++)
    compareValues(comparison, expected.at(-index), found.at(-index), `${path}[${found.length - index}]`);
}

function compareTexts(comparison, expected, found) {
  if (isMatch(comparison, expected, found)) return;
  const pairs = unmatchedLines(comparison, expected.split('\n'), found.split('\n'));
  comparison.differences.push(...pairs);
}

/** The lines of both as a diff, in which matching lines appear only once. */
function unmatchedLines(comparison, expected, found) {
  const matches = (left, right) => isMatch({ ...comparison, learned: new Map() }, left, right);
  const common = longestCommon(expected, found, matches);
  const lines = [];
  let [left, right] = [0, 0];
  for (const [i, j] of [...common, [expected.length, found.length]]) {
    lines.push(
      ...expected.slice(left, i).map((line) => `- ${line}`),
      ...found.slice(right, j).map((line) => `+ ${line}`),
    );
    if (i < expected.length) lines.push(`  ${expected[i]}`);
    [left, right] = [i + 1, j + 1];
  }
  return lines;
}

/** Index pairs of the longest common subsequence. */
function longestCommon(left, right, matches) {
  const lengths = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--)
      lengths[i][j] = matches(left[i], right[j])
        ? lengths[i + 1][j + 1] + 1
        : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
  const pairs = [];
  for (let [i, j] = [0, 0]; i < left.length && j < right.length;) {
    if (matches(left[i], right[j])) pairs.push([i++, j++]);
    else if (lengths[i + 1][j] >= lengths[i][j + 1]) i++;
    else j++;
  }
  return pairs;
}

/**
 * Whether a text matches the expected one, apart from parts that are different at each run. The real parts are then
 * learned.
 */
function isMatch({ setting, learned }, expected, found) {
  const { pattern, tokens } = patternOf(expected);
  const match = pattern.exec(found);
  if (!match) return false;
  const alike = tokens.every(({ kind, text }, index) => isAlike(kind, text, match[index + 1], setting));
  if (alike)
    for (const [index, { kind, text }] of tokens.entries()) if (kind.learned) learned.set(text, match[index + 1]);
  return alike;
}

/** An id that a document shows twice must be the same both times. Only `lrl_…` may stand for another key each time. */
function isAlike(kind, expected, found, setting) {
  if (kind.learned && !expected.endsWith('…')) return (setting.known.get(expected) ?? found) === found;
  return kind.alike?.(expected, found, setting) ?? true;
}

/**
 * A pattern for the text. A `…` on a line of its own stands for any lines, other ones for any text within their line.
 */
function patternOf(expected) {
  const tokens = [];
  let source = '';
  let from = 0;
  for (const match of expected.matchAll(VOLATILE)) {
    const kind = KINDS.find(({ name }) => match.groups[name] !== undefined);
    tokens.push({ kind, text: match[0] });
    source += `${literal(expected.slice(from, match.index))}(${kind.found ?? kind.pattern})`;
    from = match.index + match[0].length;
  }
  source += literal(expected.slice(from));
  return { pattern: new RegExp(`^${source}$`), tokens };
}

const literal = (text) =>
  text
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replace(/^[ \t]*…[ \t]*\n/gm, '(?:.*\\n)*?')
    .replace(/\n[ \t]*…[ \t]*$/, '(?:\\n.*)*?')
    .replaceAll('…', '.*?');

/** Removes spaces at the ends of lines, and blank lines at the beginning and the end. */
const tidy = (text) => text.replace(/[ \t\r]+$/gm, '').replace(/^\n+|\n+$/g, '');

/** Removes the lines that npm prints before it runs a script. */
const withoutNpm = (text) => text.replace(/^\n?(?:> .*\n)+\n?/gm, '');
