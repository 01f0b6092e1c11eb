import { relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** The file of the running test, relative to the repository, and the test's name, which is empty outside of tests. */
export function runningTest(): readonly [file: string, name: string] {
  const { testPath = '', currentTestName = '' } = expect.getState();
  return [relative(ROOT, testPath).split(sep).join('/'), currentTestName];
}
