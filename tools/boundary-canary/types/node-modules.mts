// breaks: TS2591
export { readFileSync } from 'node:fs';
