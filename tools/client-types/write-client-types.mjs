// Writes the types of @laurel/client, which are no part of the repository, from the OpenAPI document.
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { projectsOf, rootOf } from '../projects.mjs';
import { typesOf } from './types-of.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const CACHE = join(ROOT, 'node_modules/.cache/laurel');
/** The sources of the document, each with its size and time when the types were written. */
const RECORD = join(CACHE, 'client-types.json');
const OWN = ['package-lock.json', 'tools/client-types/types-of.mjs', 'tools/client-types/write-client-types.mjs'];

/** Writes nothing if no source of the document has changed since. @throws Error if the sources cannot be run */
export async function writeClientTypes() {
  const projects = projectsOf(ROOT);
  const output = join(ROOT, rootOf(projects, '@laurel/client'), 'src/generated/laurel-api.ts');
  if (stateOf(output) !== null && isCurrent()) return;
  const { document, sources } = await documentIn(`${rootOf(projects, '@laurel/openapi')}/src/openapi-document.ts`);
  write(output, `// Made of the OpenAPI document by tools/client-types.\n${typesOf(document)}`);
  write(
    RECORD,
    JSON.stringify(Object.fromEntries([...sources, ...OWN].map((path) => [path, stateOf(join(ROOT, path))]))),
  );
}

/** The document that the current sources generate. Node cannot run these sources directly. */
async function documentIn(source) {
  const { build } = await import('esbuild');
  const { metafile, outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: [source],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    conditions: ['@laurel/source'],
    external: ['zod'],
    metafile: true,
    write: false,
    logLevel: 'warning',
  });
  const program = join(CACHE, `openapi-document-${process.pid}.mjs`);
  write(program, outputFiles[0].contents);
  try {
    const { openApiDocument } = await import(pathToFileURL(program).href);
    return { document: openApiDocument(), sources: Object.keys(metafile.inputs) };
  } finally {
    rmSync(program);
  }
}

function isCurrent() {
  try {
    const record = Object.entries(JSON.parse(readFileSync(RECORD, 'utf8')));
    return record.every(([path, state]) => stateOf(join(ROOT, path)) === state);
  } catch {
    // The record does not exist, or it was not written completely.
    return false;
  }
}

function stateOf(path) {
  const file = statSync(path, { throwIfNoEntry: false });
  return file === undefined ? null : `${file.size} ${file.mtimeMs}`;
}

/** Writes the file under another name first, because several compilers may run at the same time. */
function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content);
  renameSync(draft, path);
}
