import { ESLint } from 'eslint';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FOLDER = 'tools/boundary-canary';
const HEADER = /^\/\/ as: (?<as>\S+)\n\/\/ breaks: (?<rule>[^\s:]+)(?:: (?<message>.+))?\n/;
// The files are not where they say they are, so no program knows them: type information is not for them.
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
 * Lints every canary (.mts, which no tsconfig takes in) under the name that it gives itself, by the project's own
 * configuration. The boundary rule lets everything pass when it finds no project graph: without canaries nobody would
 * notice.
 * @returns {Promise<{ count: number, problems: string[] }>} a problem for each canary that did not break exactly its rule
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
  // In a folder that does not exist, a canary is red or green for other reasons than the rule it tests.
  if (!existsSync(dirname(as))) return `${name}: there is no folder ${dirname(as)}`;
  const [{ messages }] = await eslint.lintText(text, { filePath: as, warnIgnored: true });
  const isExpected = (found) => found.ruleId === rule && found.message.includes(message);
  const asItShould = rule === 'nothing' ? messages.length === 0 : messages.length === 1 && isExpected(messages[0]);
  return asItShould ? null : `${name}: breaks ${rule} expected, got ${summary(messages)}`;
}

const summary = (messages) =>
  messages.length === 0 ? 'nothing' : messages.map(({ ruleId, message }) => `${ruleId}: ${message}`).join(' and ');
