import { configurationDocument } from '@laurel/schemas';
import { Document, isScalar, visit } from 'yaml';

/**
 * A document as YAML that `parseDocument` reads back as the same, its fields in the order of the specification (the log keeps
 * none). Null stands for absent, so it is left out. Nothing in it steers a terminal: what is unprintable is escaped.
 */
export function formatDocument(document: unknown): string {
  const ordered = configurationDocument.safeParse(document).data ?? document;
  const yaml = new Document(withoutNulls(ordered));
  visit(yaml, (_, node) => {
    if (isScalar(node) && typeof node.value === 'string' && node.value.search(UNPRINTABLE) >= 0)
      node.type = 'QUOTE_DOUBLE';
  });
  return yaml.toString({ lineWidth: 0, doubleQuotedAsJSON: true }).replace(UNPRINTABLE, escaped);
}

/** But for the line feed, which YAML needs itself. Private characters, too: who knows what a terminal makes of them. */
const UNPRINTABLE = /(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** As in a double-quoted scalar, which is where these are. */
function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, withoutNulls(field)]));
}
