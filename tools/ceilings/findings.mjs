import { ESLint } from 'eslint';
import { relative } from 'node:path';
import tseslint from 'typescript-eslint';
import { CODE_ONLY, KINDS } from './kinds.mjs';
import { LIMITS } from './limits.mjs';
import { visitorOf } from './visit.mjs';

/** A limit of 0 lines, so that every file is reported with its number of lines. */
const ALL_LINES = [{ max: 0, ...CODE_ONLY }];

/** The reports of the rules by path, for the files that are being visited. */
const found = new Map();

const collecting = (name, kind) => ({
  meta: kind.rule.meta,
  create: (context) => {
    const path = relative(context.cwd, context.filename);
    const whenDone = (findings) => {
      found.get(path)[name] = findings.map(({ name: functionName, number }) => ({ name: functionName, number }));
    };
    return visitorOf(kind, context, { path, options: name === 'lines' ? ALL_LINES : undefined, whenDone });
  },
});

const rules = Object.fromEntries(Object.entries(KINDS).map(([name, kind]) => [name, collecting(name, kind)]));
const eslint = new ESLint({
  overrideConfigFile: true,
  overrideConfig: {
    files: ['**/*.ts', '**/*.tsx'],
    // Without the names of global objects, which would take a quarter of the time.
    languageOptions: { parser: tseslint.parser, parserOptions: { lib: [] } },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    plugins: { ceilings: { rules } },
    rules: Object.fromEntries(Object.keys(rules).map((name) => [`ceilings/${name}`, 'error'])),
  },
});

/**
 * @param {string} path relative to the repository
 * @param {string} text TypeScript
 * @returns {Promise<{ codeLines: number, numbers: Numbers }>} `numbers`: those beyond the limits, whether they have a ceiling or not
 * @throws {Error} if the text cannot be parsed
 *
 * @typedef {Record<keyof typeof KINDS, readonly { name: string | null, number: number }[]>} Numbers
 */
export async function findingsIn(path, text) {
  found.set(path, {});
  const [{ messages }] = await eslint.lintText(text, { filePath: path });
  const problem = messages.find(({ fatal }) => fatal);
  if (problem !== undefined) throw new Error(`${path}:${problem.line}: ${problem.message}`);
  const numbers = found.get(path);
  found.delete(path);
  const codeLines = numbers.lines[0]?.number ?? 0;
  return { codeLines, numbers: { ...numbers, lines: numbers.lines.filter(({ number }) => number > LIMITS.lines) } };
}
