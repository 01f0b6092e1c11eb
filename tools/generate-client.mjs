// npm run generate: writes the types of libs/api/client from the OpenAPI document, which is made of libs/schemas.
// With --check it writes nothing, and exits with 1 if the file is not what it would write.
// It runs the sources: node --conditions=@laurel/source --import ./libs/testing/src/typescript-loader.mjs tools/generate-client.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { openApiDocument } from '@laurel/openapi';
import { projectsOf, rootOf } from './projects.mjs';

const NAME = `${rootOf(projectsOf(), '@laurel/client')}/src/generated/laurel-api.ts`;
const FILE = fileURLToPath(new URL(`../${NAME}`, import.meta.url));
const HEADER = '// Written by `npm run generate` from the OpenAPI document. Change that, not this.\n\n';

/**
 * The whole answers that the document shows are longer than the types, and say nothing to a compiler. Where JSON is one of several
 * media types, the client speaks JSON: its types would otherwise be unions that nobody can use.
 */
const withoutAnswers = (document) =>
  JSON.parse(
    JSON.stringify(document, (name, value) =>
      name === 'content'
        ? Object.fromEntries(Object.entries(spoken(value)).map(([type, { schema }]) => [type, { schema }]))
        : value,
    ),
  );

const spoken = ({ 'application/json': json, ...others }) =>
  json === undefined ? others : { 'application/json': json };

async function typesOf(document) {
  const nodes = await openapiTypescript(withoutAnswers(document), { rootTypes: true, rootTypesNoSchemaPrefix: true });
  return format(HEADER + astToString(nodes), { ...(await resolveConfig(FILE)), filepath: FILE });
}

const types = await typesOf(openApiDocument());
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, types);
  console.log(`wrote ${NAME}`);
} else if (readFileSync(FILE, 'utf8') === types) {
  console.log(`${NAME} is what the document says`);
} else {
  console.log(`${NAME} is not what the document says: npm run generate`);
  process.exitCode = 1;
}
