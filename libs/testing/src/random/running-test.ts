import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** The file, from the root of the repository, and the name of the test that runs; the name is empty outside of tests. */
export function runningTest(): readonly [file: string, name: string] {
  const { testPath = '', currentTestName = '' } = expect.getState();
  return [relative(ROOT, testPath).split(sep).join('/'), currentTestName];
}
