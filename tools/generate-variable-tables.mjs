// npm run generate: writes the tables of environment variables in the documents, from the one in libs/api/runtime/src/environment.
// With --check it writes nothing, and exits with 1 if a document does not show what it would write.
// It runs the sources: node --conditions=@laurel/source --import ./libs/testing/src/typescript-loader.mjs tools/generate-variable-tables.mjs
import { ENVIRONMENT_VARIABLES, TOOL_VARIABLES } from '../libs/api/runtime/src/index.ts';
import { code, keepTables, table } from './document-tables.mjs';

const VARIABLES = Object.values(ENVIRONMENT_VARIABLES);

/** The columns of the table for the distributed topology. Processes that read the same variables share a column. */
const COLUMNS = [
  ['ingestion', 'ingestion-gateway'],
  ['streak', 'streak-service'],
  ['achievement, points', 'points-service'],
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

const DOCUMENTS = ['docs/guides/variables.md', 'docs/guides/distributed-variables.md', 'docs/guides/test-variables.md'];

const readBy = (...readers) =>
  VARIABLES.filter((variable) => readers.some((reader) => variable.readBy.includes(reader)));
const mark = ({ readBy, requiredDistributed }, reader) =>
  readBy.includes(reader) ? (requiredDistributed ? '!' : '·') : '';
const defaultOf = ({ shownDefault, fallback }) => shownDefault ?? (fallback === null ? 'none' : code(String(fallback)));

await keepTables({ label: 'variables', documents: DOCUMENTS, tables: TABLES });
