#!/usr/bin/env node
// The compiler of this repository, which link-tsc.mjs also makes available as `npx tsc`. The types of the client are
// generated from other sources, so they are written first.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { writeClientTypes } from '../client-types/write-client-types.mjs';

await writeClientTypes();
const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
await import(new URL('lib/tsc.js', pathToFileURL(manifest)));
