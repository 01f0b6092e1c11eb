import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

export const PACKAGE = 'sigs.k8s.io/kustomize/kustomize/v5@v5.7.1';
/** The folder in which `ensure-kustomize.mjs` builds kustomize. */
export const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/kustomize', import.meta.url));

/** @returns {string | null} the program, from PATH or built here, or null if there is none */
export function findKustomize() {
  const built = join(FOLDER, 'kustomize');
  if (existsSync(built)) return built;
  return spawnSync('kustomize', ['version']).status === 0 ? 'kustomize' : null;
}

const rendered = new Map();

/**
 * @param {string} folder of a kustomization
 * @returns {object[]} its manifests, a new copy at each call
 * @throws {Error} with the message of kustomize
 */
export function render(folder) {
  if (!rendered.has(folder)) rendered.set(folder, build(folder));
  return parseAllDocuments(rendered.get(folder)).map((document) => document.toJS());
}

function build(folder) {
  const program = findKustomize();
  if (program === null)
    throw new Error('There is no kustomize. Run `node tools/ensure-kustomize.mjs`, which needs Go.');
  const { status, stdout, stderr } = spawnSync(program, ['build', folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`kustomize build ${folder}: ${stderr}`);
  return stdout;
}
