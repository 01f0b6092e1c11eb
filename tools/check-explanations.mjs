// Checks that the numbers of a running service's users equal the sums of the changes with which the service explains
// them.
//
//   node --conditions=@laurel/source --import ./libs/testing/src/typescript-loader.mjs tools/check-explanations.mjs
//     [--every 1] [--runs 100]
//
// LAUREL_PORT and LAUREL_API_KEY must be those of the service. Nothing may be recorded meanwhile. Exit code 1 if a
// number differs.
import { parseArgs } from 'node:util';
import { explainedNumbers } from '../libs/testing/src/http-suite/explained-numbers.ts';

const SHOWN = 20;

const { values } = parseArgs({
  options: { every: { type: 'string', default: '1' }, runs: { type: 'string', default: '100' } },
});
const base = `http://127.0.0.1:${process.env.LAUREL_PORT}`;
const headers = { 'x-api-key': process.env.LAUREL_API_KEY };

async function read(path) {
  const response = await fetch(new URL(path, base), { headers });
  const text = await response.text();
  if (response.status === 404) return null;
  if (response.status !== 200) throw new Error(`GET ${path} was answered ${response.status}: ${text}`);
  return text;
}

const asked = { every: Number(values.every), runs: Number(values.runs) };
const { users, numbers, findings } = await explainedNumbers(read, asked);
for (const finding of findings.slice(0, SHOWN)) console.log(finding);
console.log(`${numbers} numbers of ${users} users, ${findings.length} of them unlike what explains them`);
process.exitCode = numbers > 0 && findings.length === 0 ? 0 : 1;
