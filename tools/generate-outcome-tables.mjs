// npm run generate: writes the table of the types of outcomes into the guide, from their declarations in libs/kernel.
// With --check it writes nothing, and exits with 1 if the guide does not show what it would write.
// It runs the sources: node --conditions=@laurel/source --import ./libs/testing/src/typescript-loader.mjs tools/generate-outcome-tables.mjs
import { OUTCOME_TYPES, outcomeKind } from '../libs/kernel/src/index.ts';
import { code, keepTables, table } from './document-tables.mjs';

const typesTable = () =>
  table(
    ['type', 'when', 'fields', 'notes'],
    OUTCOME_TYPES.map((type) => {
      const kind = outcomeKind(type);
      return [code(type), kind.means, Object.keys(kind.fields).map(code).join(', '), notesOf(kind).join('; ')];
    }),
  );

const notesOf = ({ secondNameOf, alwaysMade, setting, notification }) =>
  [
    secondNameOf && `second name of ${code(secondNameOf)}: only if named`,
    alwaysMade && 'always made',
    setting && code(`outgoing.${setting}`),
    notification && `the user’s preference ${code(notification)}`,
  ].filter((note) => note !== undefined);

await keepTables({ label: 'outcomes', documents: ['docs/guides/webhooks.md'], tables: { types: typesTable } });
