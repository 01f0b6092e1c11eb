// Checks that every library has a short page of its own. node tools/check-architecture.mjs runs this check too.

const MOST_LINES = 30;
/** The kernel's page is the essay on event sourcing in this code base. */
const LONGER = { 'libs/kernel/README.md': 120 };
const SAYS = {
  'May import': 'what it may import',
  'Begin with': 'where to begin reading',
  Test: 'which test to run',
};

/**
 * @param {readonly string[]} roots the folders of the libraries
 * @param {ReadonlyMap<string, string>} documents every document by path
 * @returns {readonly string[]}
 */
export const libraryPageProblems = (roots, documents) =>
  roots.flatMap((root) => {
    const path = `${root}/README.md`;
    const page = documents.get(path);
    if (page === undefined)
      return [`${root} has no README.md: say in at most ${MOST_LINES} lines what it owns, its entry points, ${listed}`];
    return pageProblems(path, page);
  });

const listed = Object.values(SAYS).join(', ');

function pageProblems(path, page) {
  const lines = page.trimEnd().split('\n').length;
  const silent = Object.entries(SAYS).filter(([word]) => !page.includes(`\n**${word}** `));
  const most = LONGER[path] ?? MOST_LINES;
  return [
    ...(lines > most ? [`${path} has ${lines} lines, more than ${most}: move the rest to docs`] : []),
    ...silent.map(([word, what]) => `${path} does not say ${what}, in a paragraph that begins with **${word}**`),
  ];
}
