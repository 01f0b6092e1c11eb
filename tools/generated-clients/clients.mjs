import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROGRAMS = fileURLToPath(new URL('programs', import.meta.url));
const TSC = fileURLToPath(new URL('../compiler/tsc.mjs', import.meta.url));
const NODE_TYPES = fileURLToPath(new URL('../../node_modules/@types', import.meta.url));

const python = (folder) => join(folder, 'python/bin/python');
/** Debian packages venv and ensurepip separately from Python. */
const PYTHON = ['python3', '-c', 'import venv, ensurepip'];
const pip = (folder, ...packages) => [
  ['python3', '-m', 'venv', join(folder, 'python')],
  [python(folder), '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages],
];
const OPENAPI_GENERATOR = 'openapi-generator-cli==7.26.0';
const openapiGenerator = (folder, document, generator, output, ...options) => [
  join(folder, 'python/bin/openapi-generator-cli'),
  ...['generate', '--input-spec', document, '--generator-name', generator, '--output', output, ...options],
];
const program = (name, folder, to) => {
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(PROGRAMS, name), join(folder, to));
};

/**
 * Clients in other languages. For each, a generator creates code from the document of a running service. All tools are
 * installed into `folder`.
 *
 * @typedef {{
 *   generator: string,
 *   without?: string,
 *   needs: readonly (readonly string[])[],
 *   install: (folder: string) => readonly (readonly string[])[],
 *   make: (folder: string, document: string) => readonly (readonly string[])[],
 *   run: (folder: string) => readonly string[],
 *   env?: (folder: string) => Readonly<Record<string, string>>,
 * }} Client `without`: a tag for which the generator's code does not compile; `needs`: commands that must end with 0, or
 *   the client is skipped; `install`: installs the tools; `make`: generates and compiles; `run`: records an event,
 *   reads, sends a batch and prints the answers
 * @type {Readonly<Record<string, Client>>}
 */
export const CLIENTS = {
  python: {
    generator: 'openapi-python-client',
    needs: [PYTHON],
    install: (folder) => pip(folder, 'openapi-python-client==0.29.1'),
    make: (folder, document) => {
      program('openapi-python-client.py', folder, 'record.py');
      const output = join(folder, 'laurel');
      return [
        [
          join(folder, 'python/bin/openapi-python-client'),
          ...['generate', '--path', document, '--output-path', output, '--meta', 'none', '--overwrite'],
        ],
        [python(folder), '-m', 'compileall', '-q', output],
      ];
    },
    run: (folder) => [python(folder), join(folder, 'record.py')],
  },
  'python-openapi-generator': {
    generator: 'openapi-generator (python)',
    // For `webhooks` it generates parameters without a type, which Python cannot parse.
    without: 'Webhooks',
    needs: [PYTHON, ['java', '-version']],
    install: (folder) => pip(folder, OPENAPI_GENERATOR),
    make: (folder, document) => {
      program('openapi-generator.py', folder, 'record.py');
      const output = join(folder, 'laurel');
      return [
        openapiGenerator(folder, document, 'python', output),
        [python(folder), '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', output],
        [python(folder), '-m', 'compileall', '-q', join(output, 'openapi_client')],
      ];
    },
    run: (folder) => [python(folder), join(folder, 'record.py')],
  },
  go: {
    generator: 'oapi-codegen',
    needs: [['go', 'version']],
    install: () => [['go', 'install', 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2']],
    make: (folder, document) => {
      program('go.mod', folder, 'go.mod');
      program('oapi-codegen.go', folder, 'main.go');
      const output = join(folder, 'laurel');
      mkdirSync(output, { recursive: true });
      return [
        [
          join(folder, 'bin/oapi-codegen'),
          ...['-generate', 'types,client', '-package', 'laurel', '-o', join(output, 'laurel.go'), document],
        ],
        ['go', 'mod', 'tidy'],
        ['go', 'vet', './...'],
        ['go', 'build', '-o', join(folder, 'record'), '.'],
      ];
    },
    run: (folder) => [join(folder, 'record')],
    env: (folder) => ({ GOBIN: join(folder, 'bin'), GOFLAGS: '-mod=mod' }),
  },
  java: {
    generator: 'openapi-generator (java)',
    needs: [PYTHON, ['java', '-version'], ['mvn', '--version']],
    install: (folder) => pip(folder, OPENAPI_GENERATOR),
    make: (folder, document) => {
      const output = join(folder, 'laurel');
      program('Record.java', join(output, 'src/main/java'), 'Record.java');
      const maven = ['mvn', '--batch-mode', '--quiet', '--file', join(output, 'pom.xml')];
      return [
        openapiGenerator(folder, document, 'java', output),
        [...maven, '-DskipTests', 'compile', 'dependency:build-classpath', '-Dmdep.outputFile=classpath.txt'],
      ];
    },
    run: (folder) => {
      const output = join(folder, 'laurel');
      const libraries = readFileSync(join(output, 'classpath.txt'), 'utf8').trim();
      return ['java', '-cp', [join(output, 'target/classes'), libraries].join(delimiter), 'Record'];
    },
  },
  'typescript-fetch': {
    generator: 'openapi-generator (typescript-fetch)',
    needs: [PYTHON, ['java', '-version']],
    install: (folder) => pip(folder, OPENAPI_GENERATOR),
    make: (folder, document) => {
      program('typescript-fetch.mts', folder, 'record.mts');
      writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
      const compile = ['--strict', '--target', 'es2023', '--module', 'nodenext', '--lib', 'es2023,dom,dom.iterable'];
      return [
        openapiGenerator(
          ...[folder, document, 'typescript-fetch', join(folder, 'laurel')],
          '--additional-properties=importFileExtension=.js',
        ),
        [
          ...[process.execPath, TSC, ...compile, '--typeRoots', NODE_TYPES, '--types', 'node', '--rootDir', folder],
          ...['--outDir', join(folder, 'built'), join(folder, 'record.mts')],
        ],
        ['cp', join(folder, 'package.json'), join(folder, 'built/package.json')],
      ];
    },
    run: (folder) => [process.execPath, join(folder, 'built/record.mjs')],
  },
};
