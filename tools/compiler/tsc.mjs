#!/usr/bin/env node
// The compiler of this repository, also as `npx tsc` (link-tsc.mjs).
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
await import(new URL('lib/tsc.js', pathToFileURL(manifest)));
