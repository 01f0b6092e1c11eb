// Builds kustomize below node_modules, if it is missing and Go can build it: node tools/ensure-kustomize.mjs The exit
// code is 1 if there is none afterwards.
import { spawnSync } from 'node:child_process';
import { findKustomize, FOLDER, PACKAGE } from './check-manifests/kustomize.mjs';

if (findKustomize() === null)
  spawnSync('go', ['install', PACKAGE], { stdio: 'inherit', env: { ...process.env, GOBIN: FOLDER } });
const program = findKustomize();
console.log(
  program === null ? `There is no kustomize, and Go could not build ${PACKAGE}.` : `kustomize is ${program}.`,
);
process.exitCode = program === null ? 1 : 0;
