import { ESLint } from 'eslint';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FOLDER = 'tools/boundary-canary';
const HEADER = /^\/\/ as: (?<as>\S+)\n\/\/ breaks: (?<rule>[^\s:]+)(?:: (?<message>.+))?\n/;
// Canaries are linted without type information: they claim paths that do not exist, so no TypeScript program contains
// them.
export const WITHOUT_TYPES = {
  files: ['**/*.ts'],
  languageOptions: { parserOptions: { project: null } },
  rules: {
    '@typescript-eslint/await-thenable': 'off',
    '@typescript-eslint/no-floating-promises': 'off',
    '@typescript-eslint/no-misused-promises': 'off',
    '@typescript-eslint/only-throw-error': 'off',
    '@typescript-eslint/prefer-promise-reject-errors': 'off',
    '@typescript-eslint/return-await': 'off',
    '@typescript-eslint/switch-exhaustiveness-check': 'off',
  },
};

/**
 * Lints each canary under the path that its first line names, with the configuration of the project. Canaries are .mts
 * files, which no tsconfig includes. The boundary rule accepts everything if it finds no project graph; only the
 * canaries reveal that.
 *
 * @returns {Promise<{ count: number, problems: string[] }>} a problem for each canary that did not break exactly its
 *   rule
 */
export async function checkImportCanaries() {
  const eslint = new ESLint({ overrideConfig: WITHOUT_TYPES });
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.mts'));
  const outcomes = await Promise.all(names.map((name) => checkCanary(eslint, name)));
  return { count: names.length, problems: outcomes.filter((problem) => problem !== null) };
}

async function checkCanary(eslint, name) {
  const text = readFileSync(join(FOLDER, name), 'utf8');
  const { as, rule, message = '' } = HEADER.exec(text)?.groups ?? {};
  if (as === undefined) return `${name}: its first two lines do not say "as:" and "breaks:"`;
  // In a folder that does not exist, a canary would pass or fail for other reasons than the rule that it tests.
  if (!existsSync(dirname(as))) return `${name}: there is no folder ${dirname(as)}`;
  const [{ messages }] = await eslint.lintText(text, { filePath: as, warnIgnored: true });
  const isExpected = (found) => found.ruleId === rule && found.message.includes(message);
  const asItShould = rule === 'nothing' ? messages.length === 0 : messages.length === 1 && isExpected(messages[0]);
  return asItShould ? null : `${name}: breaks ${rule} expected, got ${summary(messages)}`;
}

const summary = (messages) =>
  messages.length === 0 ? 'nothing' : messages.map(({ ruleId, message }) => `${ruleId}: ${message}`).join(' and ');
