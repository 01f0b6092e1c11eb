// Checks that ARCHITECTURE.md, docs/architecture and the recipes match the code, that the links of all documents lead
// to something, that the index of decisions matches the records, and that every library has a page of its own:
// node tools/check-architecture.mjs. npm run lint runs this check too.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { decisionProblems } from './check-decisions.mjs';
import { carrierProblems, carrierRows, isLookedAt } from './check-event-carriers.mjs';
import { libraryPageProblems } from './check-library-pages.mjs';
import { projectsOf, rootOf } from './projects.mjs';

const MOST_LINES = 200;
const PROJECTS = projectsOf();
const LIBRARIES = PROJECTS.map(({ root }) => root).filter((root) => root.startsWith('libs/'));
const EFFECTS = `${rootOf(PROJECTS, '@laurel/kernel')}/src/declarations/effects/`;
/** Documents whose paths are checked against the repository; other documents name files of the reader. */
const WITH_PATHS =
  /^(?:ARCHITECTURE|CONTRIBUTING)\.md$|^docs\/architecture\/|^docs\/guides\/(?:add-|recipes)|^(?:libs|tools)\/.*README\.md$/;

const FILE = /(?<![\w/.*<>-])(?:[\w.*-]+\/)*[\w.*-]+\.(?:ts|mjs|sql)(?![\w-]|\.\w)/g;
const FOLDER = /`((?:apps|bench|docker|docs|examples|k8s|libs|monitoring|tools)\/[^`\s]*)`/g;
/** Names in paths that do not exist yet, because a recipe tells the reader to create them. */
const TO_BE_MADE = /NAME|badge/;

/** Every file and folder that a document names, each once. */
export function pathsIn(markdown) {
  const files = markdown.match(FILE) ?? [];
  const folders = [...markdown.matchAll(FOLDER)].map(([, path]) => path.replace(/\/$/, ''));
  return [...new Set([...files, ...folders])].filter((path) => !TO_BE_MADE.test(path));
}

/**
 * Whether a file or folder with this path exists. The beginning of the path of a file may be missing, and `*` matches
 * any name.
 */
export function isPresent(path, files) {
  const pattern = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*');
  const before = path.startsWith('.') ? '' : '(?:^|/)';
  const there = new RegExp(`${before}${pattern}(?:/|$)`);
  return files.some((file) => there.test(file));
}

/**
 * The links of a document to files of the repository and to headings. `file` is '' for a heading of the document
 * itself; `heading` is '' if the link names none.
 */
export function linksIn(markdown) {
  const links = [...withoutCode(markdown).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)];
  return links.map(([, file, heading = '']) => ({ file, heading }));
}

/** The anchors that a page gives to the headings of a document. */
export function headingsIn(markdown) {
  const headings = withoutCode(markdown).match(/^#+ .*$/gm) ?? [];
  return headings.map((heading) => nameOf(heading.replace(/^#+ /, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')));
}

const withoutCode = (markdown) => markdown.replace(/^ *```[^]*?^ *```$/gm, '');

const nameOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** @param contents the text of each document by path */
export function linkProblems(contents, files) {
  return [...contents].flatMap(([document, markdown]) =>
    linksIn(markdown).flatMap(({ file, heading }) => {
      const path = file === '' ? document : posix.join(posix.dirname(document), file).replace(/\/$/, '');
      if (!files.some((known) => known === path || known.startsWith(`${path}/`)))
        return [`${document}: there is no ${path}`];
      const isMissing = heading !== '' && contents.has(path) && !headingsIn(contents.get(path)).includes(heading);
      return isMissing ? [`${document}: ${path} has no heading #${heading}`] : [];
    }),
  );
}

/** The effects that each area declares, by the name of the constant, such as `USER_EFFECTS`. */
export function declaredEffects(source) {
  const declared = new Map();
  for (const [, name, body] of source.matchAll(/^export const (\w+_EFFECTS) = \{$([^]*?)^\};$/gm))
    declared.set(
      name,
      [...body.matchAll(/^ {2}(\w+): effect\(/gm)].map(([, effect]) => effect),
    );
  return declared;
}

/** The rows of the table between the marks: area, file and effects. An area may have a row for each of several files. */
export function effectRows(markdown) {
  const table = /<!-- effects[^]*?-->([^]*?)<!-- \/effects -->/.exec(markdown)?.[1] ?? '';
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'));
  return rows.map((line) => {
    const [, area, file, effects] = line.split('|');
    return { area: area.trim(), file: file.replaceAll('`', '').trim(), effects: namesIn(effects) };
  });
}

const namesIn = (cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name);

/**
 * The differences between the table and the code.
 *
 * @param sources the text of each source of an area, by path
 */
export function effectProblems(rows, declared, sources) {
  const areas = [...new Set(rows.map(({ area }) => area))];
  const told = areas.map((area) => rows.flatMap((row) => (row.area === area ? row.effects : [])).join(', '));
  const present = [...declared.values()].map((effects) => effects.join(', '));
  const untold = present.filter((effects) => !told.includes(effects)).map((effects) => `no row says: ${effects}`);
  const unknown = told.filter((effects) => !present.includes(effects)).map((effects) => `no area declares: ${effects}`);
  return [...untold, ...unknown, ...rows.flatMap((row) => placeProblems(row, sources))];
}

/** Files for corrections emit the difference between two folds; they contain no rule. */
const OF_CORRECTIONS = /\/correct-[a-z]+\.ts$/;

function placeProblems({ file, effects }, sources) {
  return effects.flatMap((effect) => {
    const places = [...sources]
      .filter(([path, text]) => !OF_CORRECTIONS.test(path) && new RegExp(`\\btype: '${effect}'`).test(text))
      .map(([path]) => path);
    return places.join() === file ? [] : [`${effect} is emitted in ${places.join(', ') || 'no file'}, not in ${file}`];
  });
}

/** Tests, and files that read stored effects: they name effects, but do not emit them. */
const NO_RULES = /\.(?:test|fixture)\.ts$|\/testing\/|-effects\.ts$/;

const tracked = () =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '' && existsSync(path));

const read = (path) => readFileSync(path, 'utf8');

/** The differences between the table of effects in ARCHITECTURE.md and the code. */
export function effectTableProblems(files = tracked()) {
  const rows = effectRows(read('ARCHITECTURE.md'));
  const areas = rows.map(({ area }) => `${rootOf(PROJECTS, `@laurel/${area}`)}/src/`);
  const isSource = (file) =>
    areas.some((folder) => file.startsWith(folder)) && /\.ts$/.test(file) && !NO_RULES.test(file);
  const sources = new Map(files.filter(isSource).map((file) => [file, read(file)]));
  const declared = declaredEffects(
    files
      .filter((file) => file.startsWith(EFFECTS))
      .map(read)
      .join('\n'),
  );
  const wrong = effectProblems(rows, declared, sources);
  return wrong.map((problem) => `ARCHITECTURE.md, the table of effects: ${problem}`);
}

/** The differences between ARCHITECTURE.md and the code regarding the types that carry an event. */
export function eventCarrierProblems(files = tracked()) {
  const rows = carrierRows(read('ARCHITECTURE.md'));
  const paths = new Set([
    ...files.filter(isLookedAt),
    ...rows.map(({ file }) => file).filter((file) => existsSync(file)),
  ]);
  const wrong = carrierProblems(rows, new Map([...paths].map((file) => [file, read(file)])));
  return wrong.map((problem) => `ARCHITECTURE.md, the types that carry an event: ${problem}`);
}

/** @returns how many paths were checked, and the problems */
export function checkArchitecture() {
  const files = tracked();
  const documents = new Map(files.filter((file) => file.endsWith('.md')).map((file) => [file, read(file)]));
  const held = [...documents].filter(([file]) => WITH_PATHS.test(file));
  const named = held.flatMap(([document, text]) => pathsIn(text).map((path) => ({ document, path })));
  const missing = named.filter(({ path }) => !isPresent(path, files));
  const problems = missing.map(({ document, path }) => `${document}: there is no ${path}`);
  problems.push(...linkProblems(documents, files), ...decisionProblems(documents));
  problems.push(...libraryPageProblems(LIBRARIES, documents));
  const lines = read('ARCHITECTURE.md').trimEnd().split('\n').length;
  if (lines > MOST_LINES) problems.push(`ARCHITECTURE.md has ${lines} lines, more than ${MOST_LINES}`);
  problems.push(...effectTableProblems(files), ...eventCarrierProblems(files));
  return { count: named.length, problems };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { count, problems } = checkArchitecture();
  for (const problem of problems) console.log(problem);
  console.log(`${count} paths looked at, ${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
