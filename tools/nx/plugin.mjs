// Gives every app and library its targets: build, typecheck, lint, and test if it has tests. nx.json names this file.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectsOf, rootOf } from '../projects.mjs';

const PROJECTS = '{apps,libs}/{*,*/*}/package.json';
const TESTS_OF_SUITES = /\.(?:kafka|secured|distributed|cluster|faults|outgoing|pooler)\.test\.ts$/;

export const name = 'laurel-targets';

/** @type {import('@nx/devkit').CreateNodesV2} */
export const createNodesV2 = [
  PROJECTS,
  (files, _options, { workspaceRoot }) => {
    const projects = projectsOf(workspaceRoot);
    return files.map((file) => {
      const root = dirname(file);
      const folder = join(workspaceRoot, root);
      const targets = targetsOf(root, {
        dependencies: builtBefore(folder),
        tested: hasTests(folder),
        bundle: bundleOf(root, projects),
      });
      return [file, { projects: { [root]: { root, targets } } }];
    });
  },
];

/**
 * The dependencies in package.json that belong to this workspace, which are built first. `^build` would not do: Nx also
 * counts imports of tests, and a library's tests may use `@laurel/testing`, which depends on that library.
 */
function builtBefore(folder) {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.keys(dependencies).filter((dependency) => dependency.startsWith('@laurel/'));
}

/**
 * Whether a project has tests for its target. Other commands run special tests: `npm run test:distributed` those that
 * need a broker, `npm run test:cluster` those that need three, `npm run test:faults` those of faults.
 */
const hasTests = (folder) =>
  readdirSync(join(folder, 'src'), { recursive: true }).some(
    (file) => file.endsWith('.test.ts') && !TESTS_OF_SUITES.test(file),
  );

const STARTED_BY_TESTS = ['@laurel/console-server', '@laurel/standalone'];
const consoleBundle = (folder) => ({
  command: ' && node tools/build-console.mjs',
  projects: ['@laurel/console'],
  inputs: [`${folder}/**/*`, 'tools/build-console.mjs', 'docs/configuration.schema.json'].map(
    (path) => `{workspaceRoot}/${path}`,
  ),
});

const serviceBundle = (root) => ({
  command: ` && node tools/build-services.mjs ${root}`,
  projects: [],
  inputs: ['tools/build-services.mjs', 'tools/compiler/launch-service.mjs'].map((path) => `{workspaceRoot}/${path}`),
});

/** The console is bundled into the `dist` of the library that serves it. */
function bundleOf(root, projects) {
  if (root === rootOf(projects, '@laurel/console-server')) return consoleBundle(rootOf(projects, '@laurel/console'));
  return root.startsWith('apps/') ? serviceBundle(root) : { command: '', projects: [], inputs: [] };
}

function buildTarget(root, { dependencies, bundle }, command) {
  const projects = [...dependencies, ...bundle.projects];
  return command(`tsc -b ${root}${bundle.command}`, {
    dependsOn: projects.length === 0 ? [] : [{ target: 'build', projects }],
    inputs: ['production', '^production', 'toolchain', ...bundle.inputs],
    outputs: ['{projectRoot}/dist', '{projectRoot}/tsconfig.tsbuildinfo'],
  });
}

function targetsOf(root, { dependencies, tested, bundle }) {
  const command = (text, rest) => ({ executor: 'nx:run-commands', cache: true, ...rest, options: { command: text } });
  const everything = ['default', '^production', 'toolchain'];
  return {
    build: buildTarget(root, { dependencies, bundle }, command),
    // In Nx, libraries that only tests import are not dependencies of a project. So `testing` is an input of every
    // project.
    typecheck: command(`node tools/nx/typecheck.mjs ${root}`, {
      dependsOn: ['build'],
      inputs: [...everything, 'testing'],
    }),
    lint: command(`eslint ${root} --max-warnings=0`, { inputs: [...everything, 'lintRules'] }),
    ...(tested && {
      test: command(
        `node --experimental-vm-modules --no-warnings node_modules/jest/bin/jest.js --maxWorkers=1 ${root}/`,
        // Tests of apps start the standalone, which serves the console, so both must be built.
        {
          dependsOn: ['build', ...(root.startsWith('apps/') ? [{ target: 'build', projects: STARTED_BY_TESTS }] : [])],
          inputs: [...everything, 'testing'],
        },
      ),
    }),
  };
}
