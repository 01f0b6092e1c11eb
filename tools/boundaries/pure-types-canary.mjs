import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

const CANARIES = 'tools/boundary-canary/types';
const GENERATED = '.nx/pure-canary';

/**
 * Type-checks the canaries as part of the program of tsconfig.pure.json. A canary has no error any more as soon as this
 * program gets the types of Node or of the DOM, which one import in one rule is enough for.
 *
 * @returns {{ count: number, problems: string[] }} a problem for each canary without its expected error
 */
export function checkPureTypesCanaries() {
  const { config } = ts.readConfigFile('tsconfig.pure.json', ts.sys.readFile);
  mkdirSync(GENERATED, { recursive: true });
  const generated = {
    extends: resolve('tsconfig.pure.json'),
    include: [...config.include, `${CANARIES}/*.mts`].map((pattern) => resolve(pattern)),
    exclude: config.exclude.map((pattern) => resolve(pattern)),
  };
  writeFileSync(join(GENERATED, 'tsconfig.json'), JSON.stringify(generated));
  const { stdout } = spawnSync(process.execPath, ['tools/compiler/tsc.mjs', '--pretty', 'false', '-p', GENERATED], {
    encoding: 'utf8',
  });
  const names = readdirSync(CANARIES);
  return { count: names.length, problems: names.flatMap((name) => problemOf(name, stdout)) };
}

function problemOf(name, output) {
  const [, code] = /^\/\/ breaks: (TS\d+)\n/.exec(readFileSync(join(CANARIES, name), 'utf8')) ?? [];
  if (code === undefined) return [`${name}: its first line does not say "breaks: TS..."`];
  const lines = output.split('\n').filter((line) => line.includes(`${CANARIES}/${name}(`));
  const isRed = lines.length > 0 && lines.every((line) => line.includes(`error ${code}:`));
  return isRed ? [] : [`${name}: ${code} expected, got ${lines.join(' and ') || 'nothing'}`];
}
