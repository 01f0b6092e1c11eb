/** Lines count without blank lines and comments. */
export const LIMITS = { lines: 250, functions: 60, parameters: 4, parametersInRules: 5, spreads: 0 };

const TESTING = /\.(?:test|fixture|test-data)\.tsx?$|\/(?:testing|fixtures)\//;
const GENERATED_HEAD = /^(?:\/\/|\/\*\*) .*\bWritten by (?:`npm run |a test\b)/;

/** @returns {boolean} whether the file is a test or only tests import it */
export const isTesting = (path) => TESTING.test(path);

/**
 * @returns {boolean} whether a program generates this file: it lies in a folder `generated`, or its first line says
 *   that a command or a test writes it
 */
export const isGenerated = (path, text) => path.includes('/generated/') || GENERATED_HEAD.test(text.split('\n', 1)[0]);

/** @returns {boolean} whether the limits apply: hand-written TypeScript of a library or an app that is not for tests */
export const isHeld = (path, text) =>
  /^(?:apps|libs)\/.*\.tsx?$/.test(path) && !isTesting(path) && !isGenerated(path, text);

/** Rules compute from many plain values: one parameter more saves the creation of an object for each event. */
export const maxParameters = (path) => (path.includes('/rules/') ? LIMITS.parametersInRules : LIMITS.parameters);
