import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

const MOST_NAMES = 50;
/** Jest's `FAIL path` and `● suite › test`, and what tools/run-documents.mjs says of a document. */
const NAME = /^\s*(?:FAIL +\S+\.test\.ts\b.*|● .+ › .+|● Test suite failed to run|\S+\.md: FAILED\b.*)$/;

/**
 * What a failed step says of itself, for the end of a run: its name and why it failed, each failed test once, and the end of its log.
 *
 * @param {{ name: string, error: Error, log: string }} failure `log`: path
 * @param {number} lines how many of the log
 * @returns {readonly string[]}
 */
export function describeFailure({ name, error, log }, lines) {
  const text = textOf(log).split('\n');
  const names = [...new Set(text.filter((line) => NAME.test(line)).map((line) => line.trim()))];
  const more = names.length > MOST_NAMES ? [`    and ${names.length - MOST_NAMES} more`] : [];
  return [
    `--- FAILED: ${name}: ${error.message}`,
    ...names.slice(0, MOST_NAMES).map((one) => `    ${one}`),
    ...more,
    `--- the last ${lines} lines of ${log}`,
    ...text.slice(-lines).map((line) => `    ${line}`),
  ];
}

/** The end of a log; nothing if the step has written none. */
export const tail = (log, lines) => {
  const text = textOf(log);
  return text === '' ? [] : text.split('\n').slice(-lines);
};

function textOf(log) {
  try {
    return stripVTControlCharacters(readFileSync(log, 'utf8')).trimEnd();
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}
