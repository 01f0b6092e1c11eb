// npm run generate: writes the tables of what libs/kernel declares into the documents: kinds of triggers, types of outcomes.
// With --check it writes nothing, and exits with 1 if a document does not show what it would write.
// It runs the sources: node --conditions=@laurel/source --import ./libs/testing/src/typescript-loader.mjs tools/generate-declared-tables.mjs
import {
  ACHIEVEMENT_TRIGGER_TYPES,
  achievementTriggerKind,
  OUTCOME_TYPES,
  outcomeKind,
  POINTS_TRIGGER_TYPES,
  pointsTriggerKind,
} from '../libs/kernel/src/index.ts';
import { code, keepTables, table } from './document-tables.mjs';

const fieldsOf = ({ fields }) => Object.keys(fields).map(code).join(', ');

const outcomesTable = () =>
  table(
    ['type', 'when', 'fields', 'notes'],
    OUTCOME_TYPES.map((type) => {
      const kind = outcomeKind(type);
      return [code(type), kind.means, fieldsOf(kind), notesOf(kind).join('; ')];
    }),
  );

const notesOf = ({ secondNameOf, alwaysMade, setting, notification }) =>
  [
    secondNameOf && `second name of ${code(secondNameOf)}: only if named`,
    alwaysMade && 'always made',
    setting && code(`outgoing.${setting}`),
    notification && `the user’s preference ${code(notification)}`,
  ].filter((note) => note !== undefined);

const triggersTable = (types, kindOf, when) =>
  table(
    ['trigger', 'when', 'fields'],
    types.map((type) => {
      const kind = kindOf(type);
      return [code(type), kind[when], fieldsOf(kind)];
    }),
  );

await keepTables({
  label: 'declarations',
  documents: ['docs/guides/webhooks.md', 'docs/specification.md'],
  tables: {
    outcomes: outcomesTable,
    achievements: () => triggersTable(ACHIEVEMENT_TRIGGER_TYPES, achievementTriggerKind, 'completes'),
    points: () => triggersTable(POINTS_TRIGGER_TYPES, pointsTriggerKind, 'fires'),
  },
});
