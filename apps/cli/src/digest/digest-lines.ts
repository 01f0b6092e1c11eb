import type { DigestAnswer } from '@laurel/schemas';
import { plainText } from '../plain-text.ts';
import { columns } from '../terminal/table.ts';

/** A digest for people: lines with a name and its hash. Equal digests at the same position give equal lines. */
export const digestLines = ({ lines, tzDataVersion, position }: DigestAnswer): string[] =>
  columns([
    ...lines.map(({ name, digest }) => [plainText(name), plainText(digest)]),
    ['tz data', plainText(tzDataVersion)],
    ['position', String(position)],
  ]);
