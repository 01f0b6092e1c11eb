import { configurationDocument } from '@laurel/schemas';
import { Document, isScalar, visit } from 'yaml';

/**
 * Formats a document as YAML that `parseDocument` reads back as an equal document. Fields are in the order of the
 * specification, because the log does not keep their order; null fields are left out. Unprintable characters are
 * escaped, so the text cannot control a terminal.
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

/**
 * Unprintable characters except the line feed, which YAML needs. Includes private characters, which terminals treat
 * differently.
 */
const UNPRINTABLE = /(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Escapes of double-quoted scalars, the only place where these characters occur. */
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
