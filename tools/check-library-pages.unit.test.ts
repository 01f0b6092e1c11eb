import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The tools have no types: what they take and give is in their comments.
const { libraryPageProblems } = await import(new URL('./check-library-pages.mjs', import.meta.url).href);
const { projectsOf } = await import(new URL('./projects.mjs', import.meta.url).href);

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LIBRARIES = (projectsOf(ROOT) as { root: string }[])
  .map(({ root }) => root)
  .filter((root) => /^libs\//.test(root));
const PAGE =
  '# Lanes\n\nOne lane.\n\n**May import** pure code.\n\n**Begin with** `lane.ts`.\n\n**Test** `npx nx test`.\n';

const problemsOf = (page: string) => libraryPageProblems(['libs/lanes'], new Map([['libs/lanes/README.md', page]]));

describe('the page of a library', () => {
  it('exists for every library', () => {
    const pages = LIBRARIES.map((root) => `${root}/README.md`).filter((path) => existsSync(`${ROOT}/${path}`));
    const documents = new Map(pages.map((path) => [path, readFileSync(`${ROOT}/${path}`, 'utf8')]));
    expect(LIBRARIES.length).toBeGreaterThan(30);
    expect(libraryPageProblems(LIBRARIES, documents)).toEqual([]);
  });

  it('is requested when it is missing', () => {
    expect(problemsOf(PAGE)).toEqual([]);
    expect(libraryPageProblems(['libs/lanes'], new Map())).toEqual([
      'libs/lanes has no README.md: say in at most 30 lines what it owns, its entry points, what it may import, where to begin reading, which test to run',
    ]);
  });

  it('has at most 30 lines', () => {
    expect(problemsOf(`${PAGE}${'\nMore.'.repeat(20)}\n`)).toEqual([]);
    expect(problemsOf(`${PAGE}${'\nMore.'.repeat(21)}\n`)).toEqual([
      'libs/lanes/README.md has 31 lines, more than 30: move the rest to docs',
    ]);
  });

  it('must say what the library may import, where to begin reading and which test to run', () => {
    expect(problemsOf('# Lanes\n\nOne lane.\n')).toEqual([
      'libs/lanes/README.md does not say what it may import, in a paragraph that begins with **May import**',
      'libs/lanes/README.md does not say where to begin reading, in a paragraph that begins with **Begin with**',
      'libs/lanes/README.md does not say which test to run, in a paragraph that begins with **Test**',
    ]);
  });
});
