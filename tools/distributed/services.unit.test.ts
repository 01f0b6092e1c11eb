import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { CHAIN_SERVICES, TOPICS } from '@laurel/ports';

// The tools have no types: what they take and give is in their comments.
const { projectsOf } = await import(new URL('../projects.mjs', import.meta.url).href);

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const textOf = (path: string) => readFileSync(ROOT + path, 'utf8');

interface Project {
  readonly name: string;
  readonly root: string;
  readonly kind: string;
}
const PROJECTS = new Map((projectsOf(ROOT) as Project[]).map((project) => [project.name, project]));

/** The areas among all that a project declares and those declare in turn. */
function areasIn(name: string, seen = new Set<string>()): ReadonlySet<string> {
  const { root } = PROJECTS.get(name) as Project;
  const { dependencies = {} } = JSON.parse(textOf(`${root}/package.json`)) as { dependencies?: object };
  for (const dependency of Object.keys(dependencies))
    if (PROJECTS.has(dependency) && !seen.has(dependency)) {
      seen.add(dependency);
      areasIn(dependency, seen);
    }
  return new Set([...seen].filter((found) => PROJECTS.get(found)?.kind === 'area'));
}

const TOPIC_NAMES = new Map<string, string>(Object.entries(TOPICS).map(([key, topic]) => [topic, key]));

describe.each(CHAIN_SERVICES)('apps/$name', ({ name, areas, input }) => {
  it('depends on exactly the areas that it applies, so its image contains no other', () => {
    expect([...areasIn(`@laurel/${name}`)].sort()).toEqual(areas.map((area) => `@laurel/${area}`).sort());
  });

  it('runs its service with a handler for its input', () => {
    const main = textOf(`apps/${name}/src/main.ts`);
    expect(main).toContain(`service: '${name}'`);
    const [, controller] = /from '\.\/([\w-]+-controller)\.ts'/.exec(main) ?? [];
    expect(textOf(`apps/${name}/src/${controller}.ts`)).toContain(`@EventPattern(TOPICS.${TOPIC_NAMES.get(input)})`);
  });
});

it('area-service depends on every area', () => {
  const all = CHAIN_SERVICES.flatMap(({ areas }) => areas.map((area) => `@laurel/${area}`));
  expect([...areasIn('@laurel/area-service')].sort()).toEqual(all.sort());
});
