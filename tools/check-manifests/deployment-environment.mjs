// The values of the environment variables that a container of a Deployment gets.
import { fileURLToPath } from 'node:url';
import { imageVariables } from './dockerfile.mjs';
import { render } from './kustomize.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const BASE = `${ROOT}k8s/base`;
export const EXAMPLE = `${ROOT}k8s/overlays/example`;

/**
 * Every variable of a Deployment's container: those of the image, then those of its ConfigMaps, then its own. Later
 * ones override earlier ones.
 *
 * @param {string} app name of the Deployment, such as `points-service`
 * @param {{ secrets: Readonly<Record<string, string>>, podIP: string }} mapping `secrets`: the values of the Secret
 *   `laurel`, by key; `podIP`: the value of `status.podIP`
 * @param {string} folder the kustomization, the base if not given
 * @returns {Record<string, string>}
 * @throws {Error} for a key that the Secret or ConfigMap does not have, or an unknown source of values
 */
export function deploymentEnvironment(app, mapping, folder = BASE) {
  const declared = declaredVariables(app, folder);
  return Object.fromEntries([...declared].map(([name, source]) => [name, valueOf(name, source, mapping)]));
}

/** @returns {Map<string, { value: string } | { secret: string } | { field: string }>} */
export function declaredVariables(app, folder = BASE) {
  const manifests = render(folder);
  const deployment = manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === app);
  if (deployment === undefined) throw new Error(`there is no Deployment ${app}`);
  const [container] = deployment.spec.template.spec.containers;
  const configMaps = new Map(
    manifests.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata, data }) => [metadata.name, data]),
  );
  const fromMaps = (container.envFrom ?? []).flatMap((source) => {
    const data = configMaps.get(source.configMapRef?.name);
    if (data === undefined) throw new Error(`${app}: envFrom ${JSON.stringify(source)} is not known here`);
    return Object.entries(data).map(([name, value]) => [name, { value }]);
  });
  const own = (container.env ?? []).map((entry) => [entry.name, sourceOf(entry)]);
  const ofImage = [...imageVariables()].map(([name, value]) => [name, { value }]);
  return new Map([...ofImage, ...fromMaps, ...own]);
}

function sourceOf({ name, value, valueFrom }) {
  if (value !== undefined) return { value };
  const { secretKeyRef, fieldRef, ...others } = valueFrom;
  if (Object.keys(others).length > 0) throw new Error(`${name}: a source that is not known here`);
  if (fieldRef !== undefined) return { field: fieldRef.fieldPath };
  if (secretKeyRef.name !== 'laurel' || secretKeyRef.optional)
    throw new Error(`${name}: the Secret is laurel, and needed`);
  return { secret: secretKeyRef.key };
}

function valueOf(name, source, { secrets, podIP }) {
  if (source.value !== undefined) return source.value;
  if (source.field === 'status.podIP') return podIP;
  if (source.field !== undefined) throw new Error(`${name}: ${source.field} is not known here`);
  if (!Object.hasOwn(secrets, source.secret)) throw new Error(`${name}: the Secret has no ${source.secret}`);
  return secrets[source.secret];
}
