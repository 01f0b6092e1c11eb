import { isAlias, isMap, isScalar, isSeq, visit } from 'yaml';
import type { Alias, Document, Node, Pair, YAMLMap } from 'yaml';
import { DEEPEST } from './yaml-syntax.ts';
import type { SyntaxFault } from './yaml-syntax.ts';
import { quote } from './path.ts';
import type { Path } from './path.ts';

/** The plain value of a document, and the place of each part of it in the text. */
export interface Values {
  readonly value: unknown;
  /** False if a limit was exceeded: the value is then incomplete and must not be used. */
  readonly isWhole: boolean;
  readonly faults: readonly ValueFault[];
  /** Offset of the value at the path, or of its nearest present ancestor. */
  offsetOf(path: Path, part: 'name' | 'value'): number;
}

export interface ValueFault extends SyntaxFault {
  readonly path: Path;
}

/** An alias repeats its target: a few lines can expand to billions of values. */
const MOST_VALUES = 400_000;

/**
 * Reads the values of a document without syntax errors. Reports duplicate fields, unknown or endless aliases, and too
 * many values as faults.
 */
export function readValues(document: Document.Parsed): Values {
  const reader = new ValueReader(document);
  const value = reader.read(document.contents, { path: [], around: [] });
  return {
    value,
    isWhole: reader.isWhole,
    faults: [...reader.faults.values()],
    offsetOf: (path, part) => reader.offsetOf(document.contents, path, part),
  };
}

/** The state of the reader: `around` has the collections that contain the node. */
interface Surroundings {
  readonly path: Path;
  readonly around: readonly unknown[];
}

class ValueReader {
  isWhole = true;
  /** Faults by offset: the target of an alias is read several times, but must be reported only once. */
  readonly faults = new Map<number, ValueFault>();
  readonly #targets: ReadonlyMap<Alias, Node>;
  readonly #fields = new Map<YAMLMap, Map<string, Pair>>();
  #count = 0;

  constructor(document: Document.Parsed) {
    this.#targets = aliasTargets(document);
  }

  read(node: unknown, within: Surroundings): unknown {
    if (!this.isWhole) return null;
    this.#count += 1;
    if (this.#count > MOST_VALUES) return this.#cutOff(node, within, `${MOST_VALUES} values`);
    if (isAlias(node)) return this.#readAlias(node, within);
    if (isScalar(node)) return node.value;
    if (within.around.length > DEEPEST) return this.#cutOff(node, within, `${DEEPEST} levels of nesting`);
    const inside = (segment: string | number) => ({
      path: [...within.path, segment],
      around: [...within.around, node],
    });
    if (isSeq(node)) return node.items.map((item, index) => this.read(item, inside(index)));
    return isMap(node) ? this.#readMap(node, within.path, inside) : null;
  }

  offsetOf(root: unknown, path: Path, part: 'name' | 'value'): number {
    let node: unknown = root;
    let offset = startOf(root);
    for (const [depth, segment] of path.entries()) {
      const container = this.#target(node);
      const pair = isMap(container) ? this.#fieldsOf(container, []).get(String(segment)) : undefined;
      node = pair ? pair.value : isSeq(container) ? container.items[Number(segment)] : undefined;
      const isName = part === 'name' && depth === path.length - 1;
      const found = pair && (isName || isEmpty(node)) ? pair.key : node;
      if (found === undefined || found === null) return offset;
      offset = startOf(found);
    }
    return offset;
  }

  #readAlias(alias: Alias, within: Surroundings): unknown {
    const target = this.#targets.get(alias);
    const name = quote(alias.source);
    if (target === undefined) return this.#fault(alias, within.path, `expected a known anchor, found ${name}`);
    if (!within.around.includes(target)) return this.read(target, within);
    return this.#fault(alias, within.path, `expected no alias to a value that contains it, found ${name}`);
  }

  #readMap(map: YAMLMap, path: Path, inside: (name: string) => Surroundings): unknown {
    const fields = [...this.#fieldsOf(map, path)].map(([name, pair]) => [name, this.read(pair.value, inside(name))]);
    // Object.fromEntries defines a field `__proto__`; an assignment would set the prototype.
    return Object.fromEntries(fields);
  }

  #fieldsOf(map: YAMLMap, path: Path): Map<string, Pair> {
    const known = this.#fields.get(map);
    if (known) return known;
    const fields = new Map<string, Pair>();
    this.#fields.set(map, fields);
    for (const pair of map.items) {
      const name = nameOf(pair);
      if (!fields.has(name)) fields.set(name, pair);
      else this.#fault(pair.key, [...path, name], `expected each field only once, found ${quote(name)} again`);
    }
    return fields;
  }

  #cutOff(node: unknown, { path }: Surroundings, limit: string): null {
    this.isWhole = false;
    return this.#fault(node, path, `expected at most ${limit} once aliases are expanded`);
  }

  #target(node: unknown): unknown {
    return isAlias(node) ? this.#targets.get(node) : node;
  }

  #fault(node: unknown, path: Path, message: string): null {
    const offset = startOf(node);
    if (!this.faults.has(offset)) this.faults.set(offset, { offset, path, message });
    return null;
  }
}

/** Resolves each alias to the last node before it with its anchor, in one pass because anchors may be redefined. */
function aliasTargets(document: Document.Parsed): Map<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Alias: (_, alias) => {
      const target = anchors.get(alias.source);
      if (target) targets.set(alias, target);
    },
    Value: (_, node) => {
      if (node.anchor) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

/** The parser only accepts scalars as field names. */
function nameOf({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key);
}

function isEmpty(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null && node.source === '');
}

function startOf(node: unknown): number {
  const { range } = (node ?? {}) as { range?: readonly number[] | null };
  return range?.[0] ?? 0;
}
