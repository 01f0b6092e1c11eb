// npm run generate: writes the tables of environment variables in the documents, from the one in libs/api/runtime/src/environment.
// With --check it writes nothing, and exits with 1 if a document does not show what it would write.
// It runs the sources: node --conditions=@laurel/source --import ./libs/testing/src/typescript-loader.mjs tools/generate-variable-tables.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { ENVIRONMENT_VARIABLES, TOOL_VARIABLES } from '../libs/api/runtime/src/index.ts';

const VARIABLES = Object.values(ENVIRONMENT_VARIABLES);

/** The columns of the distributed table: the processes that read the same variables stand in one. */
const COLUMNS = [
  ['ingestion', 'ingestion-gateway'],
  ['streak, achievement, points', 'points-service'],
  ['leaderboard', 'leaderboard-service'],
  ['query', 'query-gateway'],
  ['outgoing', 'outgoing-service'],
];

const TABLES = {
  standalone: () =>
    table(
      ['variable', 'default', 'meaning'],
      readBy('standalone').map((variable) => [code(variable.name), defaultOf(variable), variable.about]),
    ),
  distributed: () =>
    table(
      ['variable', 'default', ...COLUMNS.map(([title]) => title), 'meaning'],
      readBy(...COLUMNS.map(([, reader]) => reader)).map((variable) => [
        `${code(variable.name)}${variable.shared ? ' =' : ''}`,
        variable.requiredDistributed ? 'none' : defaultOf(variable),
        ...COLUMNS.map(([, reader]) => mark(variable, reader)),
        variable.about,
      ]),
    ),
  tools: () =>
    table(
      ['variable', 'read by', 'default', 'meaning'],
      TOOL_VARIABLES.map(({ name, readBy, shownDefault, about }) => [code(name), readBy, shownDefault, about]),
    ),
};

const DOCUMENTS = ['README.md', 'docs/guides/distributed-variables.md', 'CONTRIBUTING.md'];

const readBy = (...readers) =>
  VARIABLES.filter((variable) => readers.some((reader) => variable.readBy.includes(reader)));
const mark = ({ readBy, requiredDistributed }, reader) =>
  readBy.includes(reader) ? (requiredDistributed ? '!' : '·') : '';
const defaultOf = ({ shownDefault, fallback }) => shownDefault ?? (fallback === null ? 'none' : code(String(fallback)));
const code = (text) => `\`${text}\``;
const table = (head, rows) => [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const PLACE = /(<!-- variables: (\w+) -->\n)[^]*?(<!-- \/variables -->)/g;

async function withTables(text, filepath) {
  const filled = text.replaceAll(PLACE, (_, begin, name, end) => `${begin}\n${TABLES[name]()}\n\n${end}`);
  return format(filled, { ...(await resolveConfig(filepath)), filepath });
}

for (const name of DOCUMENTS) {
  const path = fileURLToPath(new URL(`../${name}`, import.meta.url));
  const present = readFileSync(path, 'utf8');
  const wanted = await withTables(present, path);
  if (wanted === present) console.log(`${name} shows the present variables`);
  else if (process.argv.includes('--check')) {
    console.log(`${name} does not show the present variables: npm run generate`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, wanted);
    console.log(`wrote the variables in ${name}`);
  }
}
