import { readFileSync } from 'node:fs';

/** The release of the command line. */
export function releaseVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  };
  return version;
}
