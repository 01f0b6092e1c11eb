#!/usr/bin/env node
// The compiler of this repository, also as `npx tsc` (link-tsc.mjs). The types of the client, which are made of other sources, come first.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { writeClientTypes } from '../client-types/write-client-types.mjs';

await writeClientTypes();
const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
await import(new URL('lib/tsc.js', pathToFileURL(manifest)));
