// Renders a kustomization as `kubectl kustomize` does, in so far as k8s/ uses it. What is not known here is an error.
import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { mergeStrategically } from './strategic-merge.mjs';

const FIELDS = ['apiVersion', 'kind', 'resources', 'namespace', 'images', 'replicas', 'configMapGenerator', 'patches'];
const NAMESPACED = ['ConfigMap', 'Service', 'Deployment', 'PodDisruptionBudget', 'NetworkPolicy'];
const WITHOUT_NAMESPACE = ['Namespace'];

/**
 * @param {string} folder
 * @returns {object[]} the manifests
 * @throws {Error} that names the kustomization and what cannot be rendered
 */
export function render(folder) {
  const file = join(folder, 'kustomization.yaml');
  const kustomization = parse(readFileSync(file, 'utf8'));
  const refuse = (why) => {
    throw new Error(`${file}: ${why}`);
  };
  demand(kustomization, FIELDS, refuse);
  const manifests = [
    ...(kustomization.resources ?? []).flatMap((path) => readResource(join(folder, path))),
    ...(kustomization.configMapGenerator ?? []).map((entry) => generate(entry, folder, refuse)),
  ];
  for (const manifest of manifests)
    if (![...NAMESPACED, ...WITHOUT_NAMESPACE].includes(manifest.kind)) refuse(`${manifest.kind} is not known here`);
  for (const entry of kustomization.patches ?? []) patch(entry, manifests, folder, refuse);
  if (kustomization.namespace) moveTo(kustomization.namespace, manifests);
  for (const entry of kustomization.replicas ?? []) scale(entry, manifests, refuse);
  for (const entry of kustomization.images ?? []) rename(entry, manifests, refuse);
  refuseTwins(manifests, refuse);
  return manifests;
}

function demand(object, known, refuse) {
  const unknown = Object.keys(object).filter((name) => !known.includes(name));
  if (unknown.length > 0) refuse(`not known here: ${unknown.join(', ')}`);
}

const readResource = (path) => (statSync(path).isDirectory() ? render(path) : readDocuments(path));

function readDocuments(path) {
  return parseAllDocuments(readFileSync(path, 'utf8')).map((document) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors[0].message}`);
    return document.toJS();
  });
}

function generate(entry, folder, refuse) {
  demand(entry, ['name', 'files', 'options'], refuse);
  demand(entry.options ?? {}, ['disableNameSuffixHash'], refuse);
  if (entry.options?.disableNameSuffixHash !== true) refuse(`${entry.name} would get a hash, which is not known here`);
  if (entry.files.some((path) => path.includes('='))) refuse('files of another name are not known here');
  const data = entry.files.map((path) => [basename(path), readFileSync(join(folder, path), 'utf8')]);
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: entry.name }, data: Object.fromEntries(data) };
}

/** Without a target it is for the one manifest that it names; with one, for every manifest of that kind. */
function patch(entry, manifests, folder, refuse) {
  demand(entry, ['path', 'target'], refuse);
  demand(entry.target ?? {}, ['kind', 'name'], refuse);
  const documents = readDocuments(join(folder, entry.path));
  if (documents.length !== 1) refuse(`${entry.path} must hold one manifest`);
  const [change] = documents;
  const { kind, name } = entry.target ?? { kind: change.kind, name: change.metadata.name };
  const chosen = manifests.filter(
    (manifest) => manifest.kind === kind && (name === undefined || manifest.metadata.name === name),
  );
  if (chosen.length === 0) refuse(`${entry.path} is for no manifest`);
  for (const manifest of chosen) {
    if (manifest.apiVersion !== change.apiVersion) refuse(`${entry.path} has another apiVersion than ${kind} ${name}`);
    const metadata = { ...change.metadata, name: manifest.metadata.name };
    Object.assign(manifest, mergeStrategically(manifest, { ...change, metadata }));
  }
}

function moveTo(namespace, manifests) {
  for (const { kind, metadata } of manifests) if (NAMESPACED.includes(kind)) metadata.namespace = namespace;
}

function scale(entry, manifests, refuse) {
  demand(entry, ['name', 'count'], refuse);
  const chosen = manifests.filter(({ kind, metadata }) => kind === 'Deployment' && metadata.name === entry.name);
  if (chosen.length === 0) refuse(`replicas: there is no Deployment ${entry.name}`);
  for (const { spec } of chosen) spec.replicas = entry.count;
}

function rename(entry, manifests, refuse) {
  demand(entry, ['name', 'newName', 'newTag'], refuse);
  const containers = manifests.flatMap(({ kind, spec }) =>
    kind === 'Deployment' ? spec.template.spec.containers : [],
  );
  const chosen = containers.filter(({ image }) => splitImage(image).name === entry.name);
  if (chosen.length === 0) refuse(`images: nothing runs ${entry.name}`);
  for (const container of chosen) {
    const { name, tag } = splitImage(container.image);
    container.image = `${entry.newName ?? name}:${entry.newTag ?? tag}`;
  }
}

/** @throws {Error} for a digest, which is not known here */
export function splitImage(image) {
  if (image.includes('@')) throw new Error(`${image}: digests are not known here`);
  const [, name, tag] = /^(.*?)(?::([^:/]+))?$/.exec(image);
  return { name, tag: tag ?? 'latest' };
}

function refuseTwins(manifests, refuse) {
  const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  const twins = names.filter((name, index) => names.indexOf(name) !== index);
  if (twins.length > 0) refuse(`twice: ${twins.join(', ')}`);
}
