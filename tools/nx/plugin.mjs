// Gives every app and library its targets: build, typecheck, lint, and test if it has tests. nx.json names this file.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PROJECTS = '{apps,libs}/*/package.json';
const TESTS_OF_SUITES = /\.(?:kafka|secured|distributed|cluster|faults|outgoing|pooler)\.test\.ts$/;

export const name = 'laurel-targets';

/** @type {import('@nx/devkit').CreateNodesV2} */
export const createNodesV2 = [
  PROJECTS,
  (files, _options, { workspaceRoot }) =>
    files.map((file) => {
      const root = dirname(file);
      const folder = join(workspaceRoot, root);
      return [
        file,
        { projects: { [root]: { root, targets: targetsOf(root, builtBefore(folder), hasTests(folder)) } } },
      ];
    }),
];

/**
 * The projects that package.json declares. Not `^build`: Nx counts imports of tests too, and a library's tests may use
 * `@laurel/testing`, which depends on that library.
 */
function builtBefore(folder) {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.keys(dependencies).filter((dependency) => dependency.startsWith('@laurel/'));
}

/** Tests that need a broker are run by `npm run test:distributed`, those that need three by `npm run test:cluster`, those of faults by `npm run test:faults`. */
const hasTests = (folder) =>
  readdirSync(join(folder, 'src'), { recursive: true }).some(
    (file) => file.endsWith('.test.ts') && !TESTS_OF_SUITES.test(file),
  );

/** Serves the console, which is bundled into its `dist`. */
const CONSOLE_SERVER = 'libs/console-server';
const STARTED_BY_TESTS = ['@laurel/console-server', '@laurel/standalone'];
const CONSOLE_BUNDLE = {
  command: ' && node tools/build-console.mjs',
  projects: ['@laurel/console'],
  inputs: ['libs/console/**/*', 'tools/build-console.mjs', 'docs/configuration.schema.json'].map(
    (path) => `{workspaceRoot}/${path}`,
  ),
};

const SERVICE_BUNDLE = (root) => ({
  command: ` && node tools/build-services.mjs ${root}`,
  projects: [],
  inputs: ['{workspaceRoot}/tools/build-services.mjs'],
});

function bundleOf(root) {
  if (root === CONSOLE_SERVER) return CONSOLE_BUNDLE;
  return root.startsWith('apps/') ? SERVICE_BUNDLE(root) : { command: '', projects: [], inputs: [] };
}

function buildTarget(root, dependencies, command) {
  const bundle = bundleOf(root);
  const projects = [...dependencies, ...bundle.projects];
  return command(`tsc -b ${root}${bundle.command}`, {
    dependsOn: projects.length === 0 ? [] : [{ target: 'build', projects }],
    inputs: ['production', '^production', 'toolchain', ...bundle.inputs],
    outputs: ['{projectRoot}/dist', '{projectRoot}/tsconfig.tsbuildinfo'],
  });
}

function targetsOf(root, dependencies, tested) {
  const command = (text, rest) => ({ executor: 'nx:run-commands', cache: true, ...rest, options: { command: text } });
  const everything = ['default', '^production', 'toolchain'];
  return {
    build: buildTarget(root, dependencies, command),
    // Libraries that tests alone import are no dependencies of a project, so their changes count everywhere.
    typecheck: command(`node tools/nx/typecheck.mjs ${root}`, {
      dependsOn: ['build'],
      inputs: [...everything, 'testing'],
    }),
    lint: command(`eslint ${root} --max-warnings=0`, { inputs: [...everything, 'lintRules'] }),
    ...(tested && {
      test: command(
        `node --experimental-vm-modules --no-warnings node_modules/jest/bin/jest.js --maxWorkers=1 ${root}/`,
        // Tests of apps start the standalone, which serves the console.
        {
          dependsOn: ['build', ...(root.startsWith('apps/') ? [{ target: 'build', projects: STARTED_BY_TESTS }] : [])],
          inputs: [...everything, 'testing'],
        },
      ),
    }),
  };
}
