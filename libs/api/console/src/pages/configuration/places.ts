import { isMap, isNode, isPair, isScalar, isSeq, type Node, type Pair, parseDocument } from 'yaml';

/** A range of a text, from one offset up to another. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

export type Path = readonly (string | number)[];

/**
 * Splits `points[0].triggers["a b"]`, the service's notation for fields, into its parts. null if the text is not such a
 * path.
 */
export function partsOf(path: string): Path | null {
  const parts: (string | number)[] = [];
  const one = /\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/y;
  while (one.lastIndex < path.length) {
    const found = one.exec(path);
    if (found === null) return null;
    const [, name, index, quoted] = found;
    parts.push(name ?? (index === undefined ? textOf(quoted ?? '') : Number(index)));
  }
  return parts;
}

function textOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    // The name is shortened, or has escapes that JSON does not know, so it does not occur in the text.
    return quoted;
  }
}

/** The range of a field in a YAML text. For a missing field, the range of the nearest parent that exists. */
export function textRangeOf(text: string, path: Path): TextRange {
  const { contents } = parseDocument(text);
  let range: TextRange = { from: 0, to: firstLine(text) };
  let node: unknown = contents;
  for (const part of path) {
    const found = childOf(node, part);
    if (found === null) return range;
    range = found.span;
    node = found.value;
  }
  return range;
}

const firstLine = (text: string): number => {
  const end = text.indexOf('\n');
  return end < 0 ? text.length : end;
};

function childOf(node: unknown, part: string | number): { readonly value: unknown; readonly span: TextRange } | null {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
    return pair === undefined ? null : { value: pair.value, span: rangeOfPair(pair) };
  }
  if (!isSeq(node) || typeof part !== 'number') return null;
  const value = node.items[part];
  return isNode(value) ? { value, span: headOf(value) } : null;
}

/** A short value is marked itself, a longer one by its name. */
const rangeOfPair = ({ key, value }: Pair): TextRange =>
  isScalar(value) && value.range && value.range[1] > value.range[0] ? rangeOfNode(value) : rangeOfNode(key);

/** The range of a node or, for an entry of a list, the range of its first field. */
const headOf = (node: Node): TextRange =>
  isMap(node) && isPair(node.items[0]) ? rangeOfNode(node.items[0].key) : rangeOfNode(node);

const rangeOfNode = (node: unknown): TextRange =>
  isNode(node) && node.range ? { from: node.range[0], to: node.range[1] } : { from: 0, to: 0 };

/** The errors of the text as YAML, with their ranges. */
export function syntaxErrors(text: string): readonly (TextRange & { readonly message: string })[] {
  return parseDocument(text, { prettyErrors: false }).errors.map(({ message, pos: [from, to] }) => ({
    from: Math.min(from, text.length),
    to: Math.min(Math.max(to, from), text.length),
    message,
  }));
}

/** The number of the line with this offset, from 1. */
export const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
