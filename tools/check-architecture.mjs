// Holds ARCHITECTURE.md, docs/architecture and the recipes to the code, the links of all documents to what they point at, the
// index of decisions to the records, and every library to a page of its own:
// node tools/check-architecture.mjs. npm run lint does it too.
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
/** Their paths are held to the code; other documents name files of the reader. */
const WITH_PATHS =
  /^(?:ARCHITECTURE|CONTRIBUTING)\.md$|^docs\/architecture\/|^docs\/guides\/(?:add-|recipes)|^(?:libs|tools)\/.*README\.md$/;

const FILE = /(?<![\w/.*<>-])(?:[\w.*-]+\/)*[\w.*-]+\.(?:ts|mjs|sql)(?![\w-]|\.\w)/g;
const FOLDER = /`((?:apps|bench|docker|docs|examples|k8s|libs|monitoring|tools)\/[^`\s]*)`/g;
/** What a recipe makes is not there yet. */
const TO_BE_MADE = /NAME|badge/;

/** Every file and folder that a document names, each once. */
export function pathsIn(markdown) {
  const files = markdown.match(FILE) ?? [];
  const folders = [...markdown.matchAll(FOLDER)].map(([, path]) => path.replace(/\/$/, ''));
  return [...new Set([...files, ...folders])].filter((path) => !TO_BE_MADE.test(path));
}

/** Whether a path is that of a file or folder; its beginning may be left out if it names a file, and `*` stands for any name. */
export function isPresent(path, files) {
  const pattern = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*');
  const before = path.startsWith('.') ? '' : '(?:^|/)';
  const there = new RegExp(`${before}${pattern}(?:/|$)`);
  return files.some((file) => there.test(file));
}

/** The links of a document to other files of the repository and to headings: the file (its own: '') and the heading, '' for none. */
export function linksIn(markdown) {
  const links = [...withoutCode(markdown).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)];
  return links.map(([, file, heading = '']) => ({ file, heading }));
}

/** The names under which a page shows the headings of a document. */
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

/** @param contents the documents by path */
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

/** The effects of each area, as they are declared, by the name of the constant: `USER_EFFECTS` → its effects. */
export function declaredEffects(source) {
  const declared = new Map();
  for (const [, name, body] of source.matchAll(/^export const (\w+_EFFECTS) = \{$([^]*?)^\};$/gm))
    declared.set(
      name,
      [...body.matchAll(/^ {2}(\w+): effect\(/gm)].map(([, effect]) => effect),
    );
  return declared;
}

/** The rows between the marks: area, file, effects. */
export function effectRows(markdown) {
  const table = /<!-- effects[^]*?-->([^]*?)<!-- \/effects -->/.exec(markdown)?.[1] ?? '';
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'));
  return rows.map((line) => {
    const [, area, file, effects] = line.split('|');
    return { area: area.trim(), file: file.replaceAll('`', '').trim(), effects: namesIn(effects) };
  });
}

const namesIn = (cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name);

/** What the table says otherwise than the code. @param sources the text of each source of an area, by path */
export function effectProblems(rows, declared, sources) {
  const told = rows.map(({ effects }) => effects.join(', '));
  const present = [...declared.values()].map((effects) => effects.join(', '));
  const untold = present.filter((effects) => !told.includes(effects)).map((effects) => `no row says: ${effects}`);
  const unknown = told.filter((effects) => !present.includes(effects)).map((effects) => `no area declares: ${effects}`);
  return [...untold, ...unknown, ...rows.flatMap((row) => placeProblems(row, sources))];
}

/** What a correction changes is the difference of two folds: no rule decides it. */
const OF_CORRECTIONS = /\/correct-[a-z]+\.ts$/;

function placeProblems({ file, effects }, sources) {
  return effects.flatMap((effect) => {
    const places = [...sources]
      .filter(([path, text]) => !OF_CORRECTIONS.test(path) && new RegExp(`\\btype: '${effect}'`).test(text))
      .map(([path]) => path);
    return places.join() === file ? [] : [`${effect} is emitted in ${places.join(', ') || 'no file'}, not in ${file}`];
  });
}

/** Tests, and files that read stored effects: they name effects and decide none. */
const NO_RULES = /\.(?:test|fixture)\.ts$|\/testing\/|-effects\.ts$/;

const tracked = () =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .split('\0')
    .filter((path) => path !== '' && existsSync(path));

const read = (path) => readFileSync(path, 'utf8');

/** What the table of effects in ARCHITECTURE.md says otherwise than the code. */
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

/** What ARCHITECTURE.md says of the types that carry an event otherwise than the code. */
export function eventCarrierProblems(files = tracked()) {
  const rows = carrierRows(read('ARCHITECTURE.md'));
  const paths = new Set([
    ...files.filter(isLookedAt),
    ...rows.map(({ file }) => file).filter((file) => existsSync(file)),
  ]);
  const wrong = carrierProblems(rows, new Map([...paths].map((file) => [file, read(file)])));
  return wrong.map((problem) => `ARCHITECTURE.md, the types that carry an event: ${problem}`);
}

/** @returns how many paths were looked at, and what is wrong */
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
