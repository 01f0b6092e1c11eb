// Rules for every manifest beyond its schema: the pod security profile `restricted`, and rules of this project.
const VOLUMES = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
];
const HOST = ['hostNetwork', 'hostPID', 'hostIPC'];
/** Variables whose values must not be written into a manifest. */
export const SECRET_VARIABLES = [
  'LAUREL_DATABASE_URL',
  'LAUREL_EVENTSTORE_URL',
  'LAUREL_KAFKA_SASL',
  'LAUREL_KAFKA_CLIENT_KEY_PASSPHRASE',
  'LAUREL_KAFKA_OAUTH_CLIENT_SECRET',
  'LAUREL_INTERNAL_TOKEN',
  'LAUREL_API_KEY',
  'LAUREL_SECRETS_KEY',
];

/** @returns {string[]} the problems of the manifests together; each begins with kind and name */
export function rulesBroken(manifests) {
  const of = (kind) => manifests.filter((manifest) => manifest.kind === kind);
  const deployments = of('Deployment');
  return [
    ...of('Secret').map((secret) => `${title(secret)}: secrets are referenced, never written down`),
    ...deployments.flatMap((deployment) => [
      ...podProblems(deployment),
      ...containerProblems(deployment),
      ...referenceProblems(deployment, of('ConfigMap')),
    ]),
    ...of('Service').flatMap((service) => serviceProblems(service, deployments)),
    ...of('PodDisruptionBudget').flatMap((budget) => budgetProblems(budget, deployments)),
    ...of('NetworkPolicy').flatMap((policy) => policyProblems(policy, deployments)),
  ];
}

const title = ({ kind, metadata }) => `${kind} ${metadata.name}`;

/** Reports each statement that is false. */
const unless = (manifest, statements) =>
  Object.entries(statements)
    .filter(([, holds]) => !holds)
    .map(([what]) => `${title(manifest)}: ${what}`);

function podProblems(deployment) {
  const { spec, metadata } = deployment.spec.template;
  const security = spec.securityContext ?? {};
  return unless(deployment, {
    'its selector is not its pods': matches(deployment.spec.selector, metadata.labels),
    'it is part of laurel': metadata.labels['app.kubernetes.io/part-of'] === 'laurel',
    'it may run as root': security.runAsNonRoot === true && security.runAsUser > 0,
    'seccompProfile is not RuntimeDefault': security.seccompProfile?.type === 'RuntimeDefault',
    'it shares something with its host': HOST.every((name) => spec[name] === undefined),
    'a kind of volume that `restricted` forbids': (spec.volumes ?? []).every((volume) =>
      Object.keys(volume).every((key) => key === 'name' || VOLUMES.includes(key)),
    ),
    'it gets a token of the cluster': spec.automountServiceAccountToken === false,
    'it gets the addresses of Services as variables': spec.enableServiceLinks === false,
    'it has less than 30 s to stop': spec.terminationGracePeriodSeconds >= 30,
  });
}

function containerProblems(deployment) {
  const { containers, initContainers } = deployment.spec.template.spec;
  const [container, ...others] = containers;
  const security = container.securityContext ?? {};
  const { requests = {}, limits = {} } = container.resources ?? {};
  const probe = (name, paths) =>
    paths.includes(container[name]?.httpGet?.path) && container[name].httpGet.port === 'http';
  return unless(deployment, {
    'it has one container': others.length === 0 && initContainers === undefined,
    'its image has no version': /:(?!latest$)[\w.-]+$/.test(container.image),
    'it may gain rights': security.allowPrivilegeEscalation === false && security.privileged === undefined,
    'it keeps capabilities': security.capabilities?.drop?.includes('ALL') && security.capabilities.add === undefined,
    'it can write to its image': security.readOnlyRootFilesystem === true,
    'a probe is missing':
      probe('startupProbe', ['/healthz', '/readyz']) &&
      probe('readinessProbe', ['/readyz']) &&
      probe('livenessProbe', ['/healthz']),
    'requests or limits are missing':
      requests.cpu !== undefined && requests.memory !== undefined && limits.memory !== undefined,
    'a secret is written down': (container.env ?? []).every(
      ({ name, valueFrom }) => !SECRET_VARIABLES.includes(name) || valueFrom?.secretKeyRef !== undefined,
    ),
  });
}

/**
 * The base may refer to ConfigMaps that only an overlay defines, so such ConfigMaps are looked for only in overlays.
 */
function referenceProblems(deployment, configMaps) {
  const { containers, volumes = [] } = deployment.spec.template.spec;
  const known = new Map(configMaps.map(({ metadata, data }) => [metadata.name, data]));
  const named = [
    ...containers.flatMap(({ envFrom = [] }) => envFrom.map(({ configMapRef }) => configMapRef?.name)),
    ...volumes.map(({ configMap }) => configMap?.name),
  ].filter((name) => name !== undefined && !(name === 'laurel-configuration' && !known.has(name)));
  return named.filter((name) => !known.has(name)).map((name) => `${title(deployment)}: there is no ConfigMap ${name}`);
}

/** Whether labels match a selector: matchLabels, and matchExpressions with `In`. */
export function matches({ matchLabels = {}, matchExpressions = [] } = {}, labels = {}) {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => {
      if (operator !== 'In') throw new Error(`operator ${operator} is not known here`);
      return values.includes(labels[key]);
    })
  );
}

const selected = (selector, deployments) =>
  deployments.filter(({ spec }) => matches(selector, spec.template.metadata.labels));

const portsOf = (deployment) =>
  deployment.spec.template.spec.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name));

function serviceProblems(service, deployments) {
  const [deployment, ...others] = selected({ matchLabels: service.spec.selector }, deployments);
  if (deployment === undefined || others.length > 0) return [`${title(service)}: it is for one Deployment`];
  return service.spec.ports
    .filter(({ targetPort }) => !portsOf(deployment).includes(targetPort))
    .map(({ targetPort }) => `${title(service)}: ${title(deployment)} has no port ${targetPort}`);
}

function budgetProblems(budget, deployments) {
  const count = selected(budget.spec.selector, deployments).length;
  return count === 1 ? [] : [`${title(budget)}: it is for ${count} Deployments`];
}

/** A rule for a port that none of the selected pods has would admit nobody. */
function policyProblems(policy, deployments) {
  const chosen = selected(policy.spec.podSelector, deployments);
  if (chosen.length === 0) return [`${title(policy)}: it is for no Deployment`];
  return (policy.spec.ingress ?? [])
    .flatMap(({ ports = [] }) => ports)
    .filter(({ port }) => !chosen.some((deployment) => portsOf(deployment).includes(port)))
    .map(({ port }) => `${title(policy)}: nobody has a port ${port}`);
}
