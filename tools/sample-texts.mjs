// A sample of the texts that contributors and operators read: node tools/sample-texts.mjs --seed N
//   [--comments 60] [--titles 30] [--logs 20] [--errors 20]
//
// Prints comments, test titles with their describes, log messages and error texts of apps, libs and tools, each with file and line.
// The same seed draws the same texts from the same files. Judge each: does an engineer who does not know the project understand it at
// first reading?
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { treeOfCheckout } from './structure/tree.mjs';

const SOURCE = /^(apps|libs|tools)\/.*\.(ts|tsx|mts|mjs|js)$/;
const TEST = /\.test\.tsx?$/;
const DIRECTIVE = /^\/[/*]+ *(eslint|@ts-|prettier-|#__PURE__)/;
const LOG = /((^|[.#])(logger|log)\??\.(trace|debug|info|warn|error|fatal)|^lastingFailure)$/;
const TITLE = /^(describe|it|test|law)(\.[a-z.]+)?\b/;

/** The comments in the order of the file; consecutive line comments count as one. */
function commentsOf(source) {
  const ranges = new Map();
  const take = (pos, end) => void ranges.set(pos, { pos, end });
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.JsxText || ts.isJSDoc(node)) return;
    const children = node.getChildren(source);
    children.forEach(visit);
    if (children.length > 0) return;
    ts.forEachLeadingCommentRange(source.text, node.pos, take);
    ts.forEachTrailingCommentRange(source.text, node.end, take);
  };
  visit(source);
  const comments = [];
  for (const range of [...ranges.values()].sort((a, b) => a.pos - b.pos)) {
    const last = comments.at(-1);
    const gap = last && source.text.slice(last.end, range.pos);
    if (gap !== undefined && /^\n[ \t]*$/.test(gap) && source.text.startsWith('//', range.pos)) last.end = range.end;
    else comments.push({ ...range });
  }
  return comments.map(({ pos, end }) => ({ pos, text: source.text.slice(pos, end) }));
}

const isText = (node) => ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/** The titles, log messages and error texts of a file. */
function textsOf(source) {
  const found = { titles: [], logs: [], errors: [] };
  const visit = (node, titles) => {
    let within = titles;
    const called = ts.isCallExpression(node) || ts.isNewExpression(node) ? node.expression.getText(source) : '';
    const first = node.arguments?.find(isText);
    const add = (list, text) => list.push({ pos: first.getStart(source), text });
    if (first && (called === 'super' || (ts.isNewExpression(node) && called.endsWith('Error'))))
      add(found.errors, first.getText(source));
    if (first && LOG.test(called)) add(found.logs, first.getText(source));
    if (first && first === node.arguments[0] && TITLE.test(called) && TEST.test(source.fileName)) {
      within = [...titles, first.getText(source)];
      if (!called.startsWith('describe')) add(found.titles, within.join(' › '));
    }
    ts.forEachChild(node, (child) => visit(child, within));
  };
  visit(source, []);
  return found;
}

function allTexts(tree) {
  const all = { comments: [], titles: [], logs: [], errors: [] };
  for (const path of tree.files.filter((file) => SOURCE.test(file))) {
    const source = ts.createSourceFile(path, tree.read(path), ts.ScriptTarget.Latest, true);
    const isTest = TEST.test(path);
    const { titles, logs, errors } = textsOf(source);
    const found = isTest ? { titles } : { logs, errors, comments: commentsOf(source) };
    for (const [kind, texts] of Object.entries(found)) {
      for (const { pos, text } of texts) {
        const { line } = source.getLineAndCharacterOfPosition(pos);
        if (!DIRECTIVE.test(text)) all[kind].push(`${path}:${line + 1}\n  ${text.replace(/\n\s*/g, '\n  ')}`);
      }
    }
  }
  return all;
}

/**
 * Sorts by a hash of text and seed, so no random generator is needed: a text keeps its place in the draw when others
 * are added.
 */
function draw(texts, count, seed) {
  const keyOf = (text) => createHash('sha256').update(`${seed} ${text}`).digest('hex');
  const keyed = texts.map((text) => [keyOf(text), text]).sort(([a], [b]) => (a < b ? -1 : 1));
  return keyed.slice(0, count).map(([, text]) => text);
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    comments: { type: 'string', default: '60' },
    titles: { type: 'string', default: '30' },
    logs: { type: 'string', default: '20' },
    errors: { type: 'string', default: '20' },
  },
});
if (values.seed === undefined) throw new Error('--seed is missing: any text, such as 7');

for (const [kind, texts] of Object.entries(allTexts(treeOfCheckout(process.cwd())))) {
  const drawn = draw(texts, Number(values[kind]), values.seed);
  console.log([`${kind}: ${drawn.length} of ${texts.length}`, ...drawn, ''].join('\n\n'));
}
