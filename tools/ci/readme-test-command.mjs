import { parseDocument } from '../run-documents/parse-document.mjs';

/** `npm test`, possibly with further arguments. */
const TEST = /^npm (?:run )?t(?:est)?(?=\s|$)/m;

/**
 * The block of README.md that runs the tests, word for word. run-documents.mjs leaves it out: the job `tests` of the CI run runs it.
 *
 * @param {string} readme
 * @returns {string}
 * @throws {Error} if there is none, or more than one
 */
export function readmeTestCommand(readme) {
  const blocks = parseDocument(readme).steps.filter(({ type, text }) => type === 'skipped' && TEST.test(text));
  if (blocks.length !== 1)
    throw new Error(`README.md has ${blocks.length} blocks that run the tests and are marked as not run, expected 1`);
  return blocks[0].text;
}
