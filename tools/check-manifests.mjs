// Renders k8s/base and its example overlay, and holds every manifest to the schemas of the Kubernetes API, to the pod
// security profile `restricted` and to our own rules; the same for the compose files in docker/. Where kubectl is
// installed, what it renders must be what was rendered here. No cluster and no engine is asked.
// node tools/check-manifests.mjs
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { readCompose, requiredVariables } from './check-image/compose.mjs';
import { composeRulesBroken } from './check-manifests/compose-rules.mjs';
import { composeProblems } from './check-manifests/compose-schema.mjs';
import { manifestProblems } from './check-manifests/kubernetes-schema.mjs';
import { render } from './check-manifests/kustomize.mjs';
import { rulesBroken } from './check-manifests/manifest-rules.mjs';

const KUSTOMIZATIONS = ['k8s/base', 'k8s/overlays/example'];
const COMPOSE_FILES = ['docker/compose.yaml', 'docker/standalone.compose.yaml'];

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

function checkKustomization(folder) {
  const manifests = render(folder);
  const problems = [];
  for (const manifest of manifests)
    for (const problem of manifestProblems(manifest))
      problems.push(`${manifest.kind} ${manifest.metadata?.name}: ${problem}`);
  return {
    count: manifests.length,
    problems: [...problems, ...rulesBroken(manifests), ...differences(folder, manifests)],
  };
}

/** Against the real one, where there is one. */
function differences(folder, manifests) {
  const { status, stdout, error } = spawnSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
  if (error !== undefined) return [];
  if (status !== 0) return [`kubectl kustomize ${folder} failed`];
  const theirs = parseAllDocuments(stdout).map((document) => document.toJS());
  const name = ({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
  const ours = new Map(manifests.map((manifest) => [name(manifest), manifest]));
  return [
    ...theirs.filter((their) => !isDeepStrictEqual(ours.get(name(their)), their)).map(name),
    ...(theirs.length === manifests.length ? [] : [`${theirs.length} manifests instead of ${manifests.length}`]),
  ].map((what) => `kubectl renders otherwise: ${what}`);
}

function checkCompose(file) {
  const compose = readCompose(
    file,
    new Map(requiredVariables(file).map((name) => [name, 'check0123456789abcdef0123'])),
  );
  return {
    count: Object.keys(compose.services).length,
    problems: [...composeProblems(compose), ...composeRulesBroken(compose)],
  };
}

let failed = false;
function report(what, { count, problems }) {
  for (const problem of problems) console.log(`${what}: ${problem}`);
  console.log(`${what}: ${count} looked at, ${problems.length} problems`);
  failed ||= count === 0 || problems.length > 0;
}

for (const folder of KUSTOMIZATIONS) report(folder, checkKustomization(folder));
for (const file of COMPOSE_FILES) report(file, checkCompose(file));
process.exitCode = failed ? 1 : 0;
