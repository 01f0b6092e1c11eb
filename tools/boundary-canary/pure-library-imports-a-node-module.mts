// as: libs/values/amounts/src/canary.ts
// breaks: no-restricted-imports: Rules and pure libraries import only themselves
import 'node:fs';
