import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';

// The tools have no types: what they take and give is in their comments.
const { render, splitImage } = await import(new URL('./kustomize.mjs', import.meta.url).href);
const { mergeStrategically } = await import(new URL('./strategic-merge.mjs', import.meta.url).href);

const root = mkdtempSync(join(tmpdir(), 'kustomize-'));
afterAll(() => rmSync(root, { recursive: true }));

let count = 0;
/** Writes a folder of files, objects as YAML. */
function folderOf(files: Record<string, unknown>): string {
  const folder = join(root, String(count++));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' ? content : stringify(content));
  }
  return folder;
}

const deployment = (name: string, container: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: { replicas: 1, template: { spec: { containers: [{ name: 'laurel', image: `${name}:1`, ...container }] } } },
});
const configMap = (name: string, data: Record<string, string | null>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});
const rendering = (kustomization: object, files: Record<string, unknown> = {}) =>
  render(folderOf({ 'kustomization.yaml': kustomization, 'a.yaml': deployment('a'), ...files }));

describe('a kustomization', () => {
  it('holds its resources, and those of the folders that it names', () => {
    const manifests = rendering(
      { resources: ['base', 'a.yaml'] },
      { 'base/kustomization.yaml': { resources: ['b.yaml'] }, 'base/b.yaml': deployment('b') },
    );
    expect(manifests).toEqual([deployment('b'), deployment('a')]);
  });

  it('moves what can be in a namespace into its own', () => {
    const manifests = rendering(
      { namespace: 'n', resources: ['a.yaml', 'n.yaml'] },
      { 'n.yaml': { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } } },
    );
    expect(manifests.map(({ metadata }: { metadata: object }) => metadata)).toEqual([
      { name: 'a', namespace: 'n' },
      { name: 'n' },
    ]);
  });

  it('sets numbers of pods and images', () => {
    const [changed] = rendering({
      resources: ['a.yaml'],
      replicas: [{ name: 'a', count: 3 }],
      images: [{ name: 'a', newName: 'registry:5000/a', newTag: '2' }],
    });
    expect(changed.spec.replicas).toBe(3);
    expect(changed.spec.template.spec.containers[0].image).toBe('registry:5000/a:2');
  });

  it('makes ConfigMaps of files', () => {
    const [, made] = rendering(
      {
        resources: ['a.yaml'],
        configMapGenerator: [{ name: 'c', files: ['laurel.yaml'], options: { disableNameSuffixHash: true } }],
      },
      { 'laurel.yaml': 'version: 1\n' },
    );
    expect(made).toEqual(configMap('c', { 'laurel.yaml': 'version: 1\n' }));
  });

  it('lays a patch over the manifest that it names, or over every one of a kind', () => {
    const files = {
      'b.yaml': deployment('b'),
      'one.yaml': { ...deployment('a'), spec: { paused: true } },
      'all.yaml': { ...deployment('whatever'), spec: { minReadySeconds: 5 } },
    };
    const resources = ['a.yaml', 'b.yaml'];
    const patches = [{ path: 'one.yaml' }, { path: 'all.yaml', target: { kind: 'Deployment' } }];
    const manifests = rendering({ resources, patches }, files);
    expect(
      manifests.map(({ metadata, spec }: ReturnType<typeof deployment>) => ({ ...metadata, ...spec })),
    ).toMatchObject([
      { name: 'a', paused: true, minReadySeconds: 5 },
      { name: 'b', minReadySeconds: 5 },
    ]);
    expect(manifests[1].spec.paused).toBeUndefined();
  });

  it.each([
    ['a field that it does not know', { namePrefix: 'x-' }, 'not known here: namePrefix'],
    ['a target by label', { patches: [{ path: 'a.yaml', target: { labelSelector: 'a=b' } }] }, 'labelSelector'],
    ['a patch for nothing', { patches: [{ path: 'a.yaml', target: { kind: 'Service' } }] }, 'is for no manifest'],
    ['numbers for nothing', { replicas: [{ name: 'z', count: 1 }] }, 'there is no Deployment z'],
    ['an image that nothing runs', { images: [{ name: 'z', newTag: '1' }] }, 'nothing runs z'],
    [
      'a name that it would have to make',
      { configMapGenerator: [{ name: 'c', files: ['a.yaml'] }] },
      'would get a hash',
    ],
    ['the same twice', { resources: ['a.yaml', 'a.yaml'] }, 'twice: Deployment a'],
    ['a kind that it does not know', { resources: ['r.yaml'] }, 'RoleBinding is not known here'],
  ])('is refused with %s', (_, fields, why) => {
    const files = { 'r.yaml': { apiVersion: 'v1', kind: 'RoleBinding', metadata: { name: 'r' } } };
    expect(() => rendering({ resources: ['a.yaml'], ...fields }, files)).toThrow(why);
  });
});

describe('a strategic merge', () => {
  it('merges objects, replaces values, and takes away what is null', () => {
    expect(mergeStrategically({ a: { b: 1, c: 2 }, d: 3 }, { a: { b: null, e: 4 }, d: 5 })).toEqual({
      a: { c: 2, e: 4 },
      d: 5,
    });
  });

  it('merges named things by their name, the new ones first', () => {
    const base = {
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '2' },
      ],
    };
    expect(
      mergeStrategically(base, {
        env: [
          { name: 'C', value: '3' },
          { name: 'B', value: '4' },
        ],
      }),
    ).toEqual({
      env: [
        { name: 'C', value: '3' },
        { name: 'A', value: '1' },
        { name: 'B', value: '4' },
      ],
    });
  });

  it('replaces lists of plain values', () => {
    expect(mergeStrategically({ drop: ['A'] }, { drop: ['B'] })).toEqual({ drop: ['B'] });
  });

  it('refuses what it does not know', () => {
    expect(() => mergeStrategically({ rules: [{}] }, { rules: [{}] })).toThrow('lists of rules cannot be merged');
    expect(() => mergeStrategically({ env: [{ name: 'A' }] }, { env: [{ value: '1' }] })).toThrow('has no name');
    expect(() => mergeStrategically({}, { a: { $patch: 'delete' } })).toThrow('$patch is not known here');
  });
});

describe('the name of an image', () => {
  it('is split from its tag, also behind a port', () => {
    expect(splitImage('host:5000/a/b')).toEqual({ name: 'host:5000/a/b', tag: 'latest' });
    expect(splitImage('host:5000/a/b:1.2')).toEqual({ name: 'host:5000/a/b', tag: '1.2' });
    expect(() => splitImage('a@sha256:00')).toThrow('digests are not known here');
  });
});
