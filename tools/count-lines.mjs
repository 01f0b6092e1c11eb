// Lines of the rules and of the projection engine: node tools/count-lines.mjs [COMMIT] [--against COMMIT]
//
// Counts what production runs at a commit, by default the last one: no tests, no fixtures, nothing generated; blank lines and comments are
// counted apart from code. --against compares with another commit.
import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

/** A library lies in `libs` or in a group of it. */
const LIBS = '^libs/(?:[\\w-]+/)?';
const AREAS = '(?:users|streaks|achievements|points|leaderboards)';

/** The first group that a path belongs to. */
const GROUPS = [
  ['rules of the areas', new RegExp(`${LIBS}${AREAS}/src/(?:rules/.*|[\\w-]+-area\\.ts)$`)],
  ['effects, occasions, plans', new RegExp(`${LIBS}(?:contracts/src/applying|kernel/src)/`)],
  [
    'projection engine',
    new RegExp(`${LIBS}(?:engine/src/(?:folding|due|storage|single-writer)|projections/src/(?!rebuild/|digest/))`),
  ],
  ['rebuild and digest', new RegExp(`${LIBS}(?:engine/src/(?:rebuild|digest)|projections/src)/`)],
  ['partitioned engine', new RegExp(`${LIBS}(?:engine/src/partitioned|chain-service/src|relay/src)/`)],
  ['tables and queries of the areas', new RegExp(`${LIBS}${AREAS}/src/`)],
];
/** Added up in the last line: what decides, and what applies it. */
const COMPARED = ['rules of the areas', 'effects, occasions, plans', 'projection engine'];

const OTHER = /\.(?:test|fixture|test-data)\.ts$|\/(?:testing|test-support|generated)\//;

export function groupOf(path) {
  if (!path.endsWith('.ts') || OTHER.test(path)) return null;
  return GROUPS.find(([, pattern]) => pattern.test(path))?.[0] ?? null;
}

/** @returns how many lines hold code, how many a comment alone, and how many nothing */
export function linesOf(source) {
  const counts = { code: 0, comment: 0, blank: 0 };
  let inComment = false;
  for (const line of source.replace(/\n$/, '').split('\n')) {
    const text = line.trim();
    const isComment = inComment || text.startsWith('//') || text.startsWith('/*');
    if (isComment) inComment = (inComment || text.startsWith('/*')) && !text.includes('*/');
    counts[isComment ? 'comment' : text === '' ? 'blank' : 'code']++;
  }
  return counts;
}

const git = (...words) => execFileSync('git', words, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

function countAt(commit) {
  const counts = new Map(GROUPS.map(([group]) => [group, { files: 0, code: 0, comment: 0, blank: 0 }]));
  for (const path of git('ls-tree', '-r', '--name-only', commit, 'libs').split('\n')) {
    const group = groupOf(path);
    if (group !== null) add(counts.get(group), { files: 1, ...linesOf(git('show', `${commit}:${path}`)) });
  }
  return counts;
}

function add(sum, counts) {
  for (const [name, count] of Object.entries(counts)) sum[name] += count;
}

/** A column for each commit, and the change between two. */
function print(commits, counts) {
  const row = (name, cells) => console.log(name.padEnd(34) + cells.map((cell) => String(cell).padStart(12)).join(''));
  const withChange = (numbers) => (numbers.length === 1 ? numbers : [...numbers, numbers.at(-1) - numbers[0]]);
  row('lines of code (files; all lines)', commits.length === 1 ? commits : [...commits, 'change']);
  for (const [group] of GROUPS) {
    const of = counts.map((count) => count.get(group));
    row(group, withChange(of.map(({ code }) => code)));
    row(
      '',
      of.map(({ files, code, comment, blank }) => `${files}; ${code + comment + blank}`),
    );
  }
  const sums = counts.map((count) => COMPARED.reduce((sum, group) => sum + count.get(group).code, 0));
  row('rules, effects and engine', withChange(sums));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values, positionals } = parseArgs({ options: { against: { type: 'string' } }, allowPositionals: true });
  const names = [...(values.against === undefined ? [] : [values.against]), positionals[0] ?? 'HEAD'];
  const commits = names.map((name) => git('rev-parse', '--short', name).trim());
  print(commits, commits.map(countAt));
}
