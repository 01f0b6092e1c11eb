import { ESLint } from 'eslint';
import { existsSync, readFileSync } from 'node:fs';
import { WITHOUT_TYPES } from '../boundaries/import-canary.mjs';
import { projectsOf, rootOf } from '../projects.mjs';
import { LIMITS, isHeld } from './limits.mjs';
import { readCeilings } from './list.mjs';

/**
 * Checks what ESLint alone does not notice: whether its configuration still contains the rules for ceilings, and
 * whether each file in the list of ceilings still exists.
 *
 * @returns {Promise<{ count: number, problems: readonly string[] }>}
 */
export async function checkCeilings() {
  const paths = Object.keys(readCeilings());
  const isListable = (path) => existsSync(path) && isHeld(path, readFileSync(path, 'utf8'));
  const gone = paths.filter((path) => !isListable(path));
  return {
    count: paths.length + CANARIES.length,
    problems: [
      ...gone.map((path) => `${path} has ceilings and is not held to them: node tools/lower-ceilings.mjs`),
      ...(await canaryProblems()),
    ],
  };
}

const lines = (count, line) => Array.from({ length: count }, (_, index) => line(index)).join('\n');
const call = (index) => `  use(${index});`;
const FUNCTION_OF = (count) => `export function canary(use: (n: number) => void) {\n${lines(count - 2, call)}\n}`;
const PARAMETERS = (count) => lines(count, (index) => `readonly a${index}: number,`);
const TYPE_OF = (count) => `export type Canary = (${PARAMETERS(count).replaceAll('readonly ', '')}) => void;`;
const FOLDER = `${rootOf(projectsOf(), '@laurel/points')}/src`;
const SOURCE = `${FOLDER}/canary.ts`;
const RULES = `${FOLDER}/rules/canary.ts`;

/**
 * @type {readonly { path: string, text: string, breaks?: string }[]} `breaks`: the only rule that the text breaks;
 *   without it, it breaks none
 */
const CANARIES = [
  { path: SOURCE, text: lines(LIMITS.lines + 1, (index) => `export const a${index} = 1;`), breaks: 'ceilings/lines' },
  { path: SOURCE, text: lines(LIMITS.lines, (index) => `export const a${index} = 1; // one\n// a comment\n`) },
  { path: `${FOLDER}/canary.unit.test.ts`, text: lines(300, (index) => `export const a${index} = 1;`) },
  { path: SOURCE, text: FUNCTION_OF(LIMITS.functions + 1), breaks: 'ceilings/functions' },
  { path: SOURCE, text: FUNCTION_OF(LIMITS.functions) },
  { path: SOURCE, text: TYPE_OF(LIMITS.parameters + 1), breaks: 'ceilings/parameters' },
  { path: RULES, text: TYPE_OF(LIMITS.parametersInRules) },
  { path: RULES, text: TYPE_OF(LIMITS.parametersInRules + 1), breaks: 'ceilings/parameters' },
  { path: SOURCE, text: `export class Canary {\nconstructor(${PARAMETERS(5)}) {}\n}`, breaks: 'ceilings/parameters' },
  {
    path: SOURCE,
    text: `@Injectable()\nexport class Canary {\nconstructor(${PARAMETERS(9)}) {}\n}\nfunction Injectable() {}`,
  },
  { path: SOURCE, text: 'export const canary = (a: number) => ({ ...{ a } });', breaks: 'ceilings/spreads' },
];

async function canaryProblems() {
  const eslint = new ESLint({ overrideConfig: WITHOUT_TYPES });
  const checked = await Promise.all(CANARIES.map((canary) => problemsOfCanary(eslint, canary)));
  return checked.flat();
}

async function problemsOfCanary(eslint, { path, text, breaks }) {
  const [{ messages }] = await eslint.lintText(text, { filePath: path });
  const broken = messages.map(({ ruleId, message }) => ruleId ?? message);
  const expected = breaks === undefined ? [] : [breaks];
  if (String(broken) === String(expected)) return [];
  return [
    `${path}: ${expected} expected, got ${broken.join(' and ') || 'nothing'}, of ${JSON.stringify(text.slice(0, 60))}`,
  ];
}
