// Checks the OpenAPI document with Spectral's rules for OpenAPI: node … tools/generated-clients/check-spectral.mjs
// FOLDER, into which Spectral was installed. It runs the sources. Warnings are printed; an error is a failure.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../../libs/api/openapi/src/index.ts';

const [folder] = process.argv.slice(2);
const [document, ruleset] = [join(folder, 'openapi.json'), join(folder, 'ruleset.json')];
writeFileSync(document, JSON.stringify(openApiDocument(), null, 2));
writeFileSync(ruleset, '{ "extends": ["spectral:oas"] }\n');
const { status } = spawnSync(
  join(folder, 'node_modules/.bin/spectral'),
  ['lint', document, '--ruleset', ruleset, '--fail-severity', 'error'],
  { stdio: 'inherit' },
);
process.exitCode = status ?? 1;
