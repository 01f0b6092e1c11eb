// Validates manifests against the schemas of the Kubernetes API in the package kubernetes-models.
import * as apps from 'kubernetes-models/apps/v1';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';

const MODELS = new Map([
  ['v1', core],
  ['apps/v1', apps],
  ['networking.k8s.io/v1', networking],
  ['policy/v1', policy],
]);

/**
 * The problems of a manifest: fields with a wrong type or value, missing fields, and fields that the schema does not
 * have.
 *
 * @returns {string[]}
 */
export function manifestProblems(manifest) {
  const models = MODELS.get(manifest.apiVersion);
  if (models === undefined) return [`apiVersion ${manifest.apiVersion} is not known here`];
  const model = models[manifest.kind];
  if (model === undefined) return [`there is no ${manifest.kind} in ${manifest.apiVersion}`];
  const unknown = [];
  const looked = recording(manifest, '', unknown);
  const problems = [];
  try {
    model.prototype.validate.call(looked.value);
  } catch (error) {
    problems.push(...(error.errors ?? [error]).map(({ instancePath, message }) => `${instancePath ?? ''} ${message}`));
  }
  looked.report();
  return [...problems, ...unknown];
}

/**
 * The schemas accept unknown fields. But their compiled code reads each field that it knows from an object, and
 * iterates over all keys only where any name is allowed (labels, data). Fields that it did not read are therefore
 * unknown.
 */
function recording(node, path, unknown) {
  if (node === null || typeof node !== 'object') return { value: node, report: () => undefined };
  const asked = new Map();
  let anyName = Array.isArray(node);
  const value = new Proxy(node, {
    get(target, key) {
      if (typeof key === 'symbol' || !Object.hasOwn(target, key)) return Reflect.get(target, key);
      if (!asked.has(key)) asked.set(key, recording(target[key], `${path}/${key}`, unknown));
      return asked.get(key).value;
    },
    ownKeys(target) {
      anyName = true;
      return Reflect.ownKeys(target);
    },
  });
  const report = () => {
    if (!anyName) for (const key of Object.keys(node)) if (!asked.has(key)) unknown.push(`${path}/${key} is no field`);
    for (const child of asked.values()) child.report();
  };
  return { value, report };
}
