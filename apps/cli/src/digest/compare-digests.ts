import { readFile } from 'node:fs/promises';
import { digest, type DigestAnswer } from '@laurel/schemas';
import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';

/** Reads a digest that was printed as JSON. @throws CommandError with exit code 2 for any other file */
export async function readDigest(path: string): Promise<DigestAnswer> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new CommandError(2, `${plainText(path)} cannot be read: ${error.message}`);
  });
  const { data } = digest.safeParse(jsonOf(text));
  if (data === undefined) throw new CommandError(2, `${plainText(path)} is not what \`digest --json\` prints`);
  return data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export interface Differences {
  /** Facts that may explain a difference. */
  readonly notes: readonly string[];
  readonly differing: readonly string[];
}

export function differences(earlier: DigestAnswer, now: DigestAnswer): Differences {
  const before = new Map(earlier.lines.map((line) => [line.name, line]));
  const after = new Map(now.lines.map((line) => [line.name, line]));
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return {
    notes:
      earlier.position === now.position
        ? []
        : [`position ${earlier.position} then, ${now.position} now: something was recorded in between`],
    differing: [
      ...(earlier.tzDataVersion === now.tzDataVersion ? [] : [tzDataDiffers(earlier.tzDataVersion, now.tzDataVersion)]),
      ...names
        .filter((name) => before.get(name)?.digest !== after.get(name)?.digest)
        .map((name) => `${plainText(name)} differs (${rows(before.get(name))} then, ${rows(after.get(name))} now)`),
    ],
  };
}

const rows = (line: DigestAnswer['lines'][number] | undefined): string => (line ? `${line.rows} rows` : 'no line');

const tzDataDiffers = (then: string, now: string): string =>
  `tz data differs (${plainText(then)} then, ${plainText(now)} now): digests compare only under one release of it`;
