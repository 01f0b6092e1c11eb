import { fileURLToPath } from 'node:url';

// The tools have no types: what they take and give is in their comments.
const tool = (name: string) => import(new URL(`./${name}.mjs`, import.meta.url).href);
const { manifestProblems } = await tool('kubernetes-schema');
const { rulesBroken } = await tool('manifest-rules');
const { render } = await tool('kustomize');

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const KUSTOMIZATIONS = ['k8s/base', 'k8s/overlays/example'];

// Changed by the tests, each its own copy.
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests of any kind
type Any = any;
const manifestsOf = (folder = 'k8s/overlays/example'): Any[] => render(ROOT + folder);

const named = (manifests: Any[], kind: string, name: string) =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);

describe('the manifests', () => {
  it.each(KUSTOMIZATIONS)('of %s are valid for the Kubernetes API and keep the rules', (folder) => {
    const manifests = manifestsOf(folder);
    expect(manifests.map(manifestProblems)).toEqual(manifests.map(() => []));
    expect(rulesBroken(manifests)).toEqual([]);
  });

  it('of k8s/overlays/podman are valid and use only what podman supports', () => {
    const manifests = manifestsOf('k8s/overlays/podman');
    expect(manifests.map(manifestProblems)).toEqual(manifests.map(() => []));
    expect(JSON.stringify(manifests.filter(({ kind }) => kind === 'Deployment'))).not.toMatch(
      /httpGet|startupProbe|readinessProbe|status\.podIP|containerPort|:80"/,
    );
  });

  it.each<[string, (deployment: Any) => void]>([
    ['/spec/replicas must be integer', ({ spec }) => (spec.replicas = '2')],
    ['/spec must have required property selector', ({ spec }) => delete spec.selector],
    ['/spec/replica is no field', ({ spec }) => (spec.replica = 2)],
    ['/metadata/labelz is no field', ({ metadata }) => (metadata.labelz = {})],
    ['/metadata/labels/a must be string', ({ metadata }) => (metadata.labels.a = 1)],
    [
      '/spec/template/spec/containers/0/readinessProbe/httpGet/pth is no field',
      ({ spec }) => (spec.template.spec.containers[0].readinessProbe.httpGet.pth = '/'),
    ],
    [
      '/spec/template/spec/containers/0/imagePullPolicy must be equal to one of the allowed values',
      ({ spec }) => (spec.template.spec.containers[0].imagePullPolicy = 'Sometimes'),
    ],
  ])('are refused by their schema: %s', (problem, change) => {
    const deployment = named(manifestsOf(), 'Deployment', 'points-service');
    change(deployment);
    expect(manifestProblems(deployment)).toEqual([problem]);
  });

  it('are refused when the API does not have their kind', () => {
    expect(manifestProblems({ apiVersion: 'apps/v1', kind: 'Deploiment' })).toEqual([
      'there is no Deploiment in apps/v1',
    ]);
    expect(manifestProblems({ apiVersion: 'apps/v2', kind: 'Deployment' })).toEqual([
      'apiVersion apps/v2 is not known here',
    ]);
  });

  it.each<[string, (pod: Any, container: Any, deployment: Any) => void]>([
    ['it may run as root', (pod) => (pod.securityContext.runAsNonRoot = false)],
    ['it may run as root', (pod) => (pod.securityContext.runAsUser = 0)],
    ['seccompProfile is not RuntimeDefault', (pod) => (pod.securityContext.seccompProfile.type = 'Unconfined')],
    ['it shares something with its host', (pod) => (pod.hostNetwork = true)],
    ['a kind of volume that `restricted` forbids', (pod) => (pod.volumes = [{ name: 'x', hostPath: { path: '/' } }])],
    ['it gets a token of the cluster', (pod) => delete pod.automountServiceAccountToken],
    ['it gets the addresses of Services as variables', (pod) => delete pod.enableServiceLinks],
    ['it has less than 30 s to stop', (pod) => (pod.terminationGracePeriodSeconds = 10)],
    ['it has one container', (pod, container) => pod.containers.push(container)],
    ['its image has no version', (_, container) => (container.image = 'laurel')],
    ['it may gain rights', (_, container) => (container.securityContext.allowPrivilegeEscalation = true)],
    ['it keeps capabilities', (_, container) => (container.securityContext.capabilities.drop = [])],
    ['it can write to its image', (_, container) => delete container.securityContext.readOnlyRootFilesystem],
    ['a probe is missing', (_, container) => delete container.livenessProbe],
    ['requests or limits are missing', (_, container) => delete container.resources.limits],
    ['a secret is written down', (_, container) => (container.env[0] = { name: 'LAUREL_DATABASE_URL', value: 'x' })],
    ['its selector is not its pods', (_, __, { spec }) => (spec.selector.matchLabels['app.kubernetes.io/name'] = 'x')],
    ['there is no ConfigMap other', (_, container) => (container.envFrom[0].configMapRef.name = 'other')],
  ])('are reported when one breaks a rule: %s', (rule, change) => {
    const manifests = manifestsOf();
    const deployment = named(manifests, 'Deployment', 'points-service');
    const pod = deployment.spec.template.spec;
    change(pod, pod.containers[0], deployment);
    expect(rulesBroken(manifests)).toContain(`Deployment points-service: ${rule}`);
  });

  it.each<[string, (manifests: Any[]) => void]>([
    [
      'Secret laurel: secrets are referenced',
      (all) => all.push({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'laurel' } }),
    ],
    [
      'Service query-gateway: Deployment query-gateway has no port web',
      (all) => (named(all, 'Service', 'query-gateway').spec.ports[0].targetPort = 'web'),
    ],
    [
      'Service query-gateway: it is for one Deployment',
      (all) => (named(all, 'Service', 'query-gateway').spec.selector = { a: 'b' }),
    ],
    [
      'PodDisruptionBudget points-service: it is for 0 Deployments',
      (all) => (named(all, 'PodDisruptionBudget', 'points-service').spec.selector = { matchLabels: { a: 'b' } }),
    ],
    [
      'NetworkPolicy laurel-internal: nobody has a port intern',
      (all) => (named(all, 'NetworkPolicy', 'laurel-internal').spec.ingress[0].ports[0].port = 'intern'),
    ],
    [
      'NetworkPolicy laurel-clients: it is for no Deployment',
      (all) => (named(all, 'NetworkPolicy', 'laurel-clients').spec.podSelector = { matchLabels: { a: 'b' } }),
    ],
  ])('are reported when they break a rule together: %s', (rule, change) => {
    const manifests = manifestsOf();
    change(manifests);
    expect(rulesBroken(manifests)).toEqual([expect.stringContaining(rule)]);
  });

  it('let only Laurel reach the internal port', () => {
    const policies = manifestsOf().filter(({ kind }) => kind === 'NetworkPolicy');
    const opening = policies
      .flatMap(({ spec }) => spec.ingress ?? [])
      .filter(({ ports }) => !ports || ports.some(({ port }: Any) => port === 'internal'));
    expect(opening).toEqual([
      expect.objectContaining({ from: [{ podSelector: { matchLabels: { 'app.kubernetes.io/part-of': 'laurel' } } }] }),
    ]);
    expect(policies.some(({ spec }) => spec.ingress === undefined && spec.policyTypes.includes('Ingress'))).toBe(true);
  });
});
