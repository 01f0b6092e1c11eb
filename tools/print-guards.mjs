// Prints which files the checks of this repository apply to: node tools/print-guards.mjs > FILE, before and after files
// are moved. It needs a build.
//
// A glob that no longer matches causes no error. Each line names a check and a file, as package and path inside the
// package: moving a package changes no line, and `diff` shows which files a check no longer applies to.
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { build } from 'esbuild';
import { ESLint } from 'eslint';
import { filesOfProgram } from './boundaries/programs.mjs';
import { bundleOptions, servicesOf } from './build-services.mjs';
import { isBuilt, projectsOf } from './projects.mjs';
import { treeIn } from './structure/tree.mjs';

const projects = projectsOf();
const tree = treeIn(process.cwd());

/** `libs/group/points/src/x.ts` → `@laurel/points/src/x.ts` */
function named(file) {
  const project = projects.find(({ root }) => file.startsWith(`${root}/`));
  return project === undefined ? file : project.name + file.slice(project.root.length);
}

const print = (what, lines) => {
  for (const line of lines.toSorted()) console.log(`${what} ${line}`);
};

/** The sources that are linted as pure, recognized by a rule of ESLint that is active only for pure code. */
async function lintedAsPure() {
  const eslint = new ESLint();
  const sources = tree.files.filter((file) => /^(?:apps|libs)\/.*\.ts$/.test(file));
  const configs = await Promise.all(sources.map((file) => eslint.calculateConfigForFile(file)));
  const isPure = (config) => config?.rules['no-restricted-globals']?.some((option) => option.name === 'process');
  return sources.filter((_, index) => isPure(configs[index]));
}

/** The titles of tests as `describe › it`; the placeholders of `each` are not filled in. */
function titlesIn(file) {
  const source = ts.createSourceFile(file, tree.read(file), ts.ScriptTarget.Latest);
  const titles = [];
  const visit = (node, path) => {
    const title = ts.isCallExpression(node) ? titleOf(node) : null;
    if (title !== null) titles.push([...path, title].join(' › '));
    ts.forEachChild(node, (child) => visit(child, title === null ? path : [...path, title]));
  };
  visit(source, [named(file)]);
  return titles;
}

function titleOf({ expression, arguments: [first] }) {
  let callee = expression;
  while (!ts.isIdentifier(callee) && callee.expression !== undefined) callee = callee.expression;
  if (!/^(?:describe|it|test)$/.test(callee.text ?? '') || first === undefined) return null;
  return ts.isStringLiteralLike(first) ? first.text : null;
}

/** The modules of this repository that the bundle of a service contains. */
async function bundledIn(app) {
  const { metafile } = await build({ ...bundleOptions(app), write: false, metafile: true, logLevel: 'error' });
  const inputs = Object.keys(metafile.inputs).filter((file) => !file.includes('node_modules/'));
  return inputs.map((file) => `${app}: ${named(file)}`);
}

print(
  'project',
  projects.map(({ name, kind }) => `${name} ${kind}`),
);
for (const program of ['tsconfig.pure.json', 'tsconfig.test.json']) print(program, filesOfProgram(program).map(named));
print('pure', (await lintedAsPure()).map(named));
print('test', tree.files.filter((file) => file.endsWith('.test.ts')).flatMap(titlesIn));
for (const folder of ['tools/boundary-canary', 'tools/boundary-canary/types'])
  print(
    'canary',
    readdirSync(folder).flatMap((name) => (name.endsWith('.mts') ? [canaryOf(folder, name)] : [])),
  );
print('bundle', (await Promise.all(servicesOf().map(bundledIn))).flat());
print(
  'depends',
  projects.filter(isBuilt).flatMap(({ root, name }) => {
    const { dependencies = {} } = JSON.parse(readFileSync(`${root}/package.json`, 'utf8'));
    return Object.keys(dependencies).map((dependency) => `${name} ${dependency}`);
  }),
);

function canaryOf(folder, name) {
  const [, as = ''] = /^\/\/ as: (\S+)/.exec(readFileSync(`${folder}/${name}`, 'utf8')) ?? [];
  return `${name} ${named(as)}`;
}
