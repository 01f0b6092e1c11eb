import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

const MOST_NAMES = 50;
/**
 * Failed tests and documents: the lines `FAIL path` and `● suite › test` of Jest, and those of tools/run-documents.mjs.
 */
const NAME = /^\s*(?:FAIL +\S+\.test\.ts\b.*|● .+ › .+|● Test suite failed to run|\S+\.md: FAILED\b.*)$/;

/**
 * The report of a failed step for the end of a run: its name and why it failed, each failed test once, and the end of
 * its log.
 *
 * @param {{ name: string, error: Error, log: string }} failure `log`: path
 * @param {number} lines the number of lines of the log to show
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

/** The end of a log, or an empty list if the step has written none. */
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
