import ts from 'typescript';
import { projectsOf, pureFolders } from '../projects.mjs';
import { treeIn } from '../structure/tree.mjs';

/**
 * Compares the files of the programs with the sources of the projects: TypeScript reports no glob that matches nothing.
 * @returns {{ count: number, problems: string[] }}
 */
export function checkPrograms() {
  const projects = projectsOf();
  const files = treeIn(process.cwd()).files.filter((file) => /\.ts$/.test(file));
  const within = (folders) => files.filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)));
  const pure = within(pureFolders(projects)).filter((file) => !file.endsWith('.test.ts'));
  // The console is a program of its own because it needs the types of browsers.
  const ui = projects.filter(({ kind }) => kind === 'ui').map(({ root }) => root);
  const tested = within(['apps', 'libs', 'tools', 'examples']).filter(
    (file) => !ui.some((root) => file.startsWith(`${root}/`)) || file.endsWith('.test.ts'),
  );
  return {
    count: pure.length + tested.length,
    problems: [...problemsOf('tsconfig.pure.json', pure), ...problemsOf('tsconfig.test.json', tested)],
  };
}

/** @returns {readonly string[]} the files of a program, relative to the workspace */
export function filesOfProgram(name) {
  const { config, error } = ts.readConfigFile(name, ts.sys.readFile);
  if (error !== undefined) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'));
  const here = `${process.cwd()}/`;
  return ts
    .parseJsonConfigFileContent(config, ts.sys, here)
    .fileNames.map((file) => (file.startsWith(here) ? file.slice(here.length) : file));
}

function problemsOf(program, expected) {
  const present = new Set(filesOfProgram(program));
  const wanted = new Set(expected);
  return [
    ...expected.filter((file) => !present.has(file)).map((file) => `${file}: not in ${program}`),
    ...[...present].filter((file) => !wanted.has(file)).map((file) => `${file}: in ${program}, not expected there`),
  ];
}
