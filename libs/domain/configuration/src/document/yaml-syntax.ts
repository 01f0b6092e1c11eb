import { Composer, Lexer, LineCounter, Parser } from 'yaml';
import type { Document, DocumentOptions, ParseOptions, SchemaOptions } from 'yaml';
import type { CST } from 'yaml';

/** The content of the text, before its fields are checked. */
export interface Syntax {
  readonly document: Document.Parsed | null;
  readonly faults: readonly SyntaxFault[];
  readonly lines: LineCounter;
}

/** `offset` counts UTF-16 code units from the start of the text. */
export interface SyntaxFault {
  readonly offset: number;
  readonly message: string;
}

/**
 * Limits far above any real document, which bound the cost of a hostile one. Depth is limited also because the composer
 * is recursive: close to the end of the stack, compiling a regular expression aborts the whole process.
 */
export const DEEPEST = 64;
const MOST_TOKENS = 600_000;
/** Further errors are often consequences of the first one. */
const MOST_FAULTS = 100;

/**
 * Always the core schema, whatever a `%YAML` directive says, so that dates and `no` stay texts. Duplicate keys are
 * found when values are read, because the parser's own search compares each key with all others.
 */
const OPTIONS: ParseOptions & DocumentOptions & SchemaOptions = {
  schema: 'core',
  resolveKnownTags: false,
  stringKeys: true,
  uniqueKeys: false,
  prettyErrors: false,
};

/** Parses YAML, which includes JSON. Reports up to a hundred syntax errors. */
export function parseSyntax(text: string): Syntax {
  const lines = new LineCounter();
  lines.addNewLine(0);
  const faults: SyntaxFault[] = [];
  const composer = new Composer({ ...OPTIONS, lineCounter: lines });
  const documents = composer.compose(boundedTokens(text, lines, faults), true, text.length);
  const { value: document } = documents.next();
  if (document === undefined) return { document: null, faults, lines };
  const second = documents.next().value;
  if (second) faults.push({ offset: second.range[0], message: 'expected one document, found a second one' });
  return { document, faults: [...faults, ...faultsOf(document)].slice(0, MOST_FAULTS), lines };
}

/** The parser's tokens. Ends early, with a fault, if a limit is exceeded. */
function* boundedTokens(text: string, lines: LineCounter, faults: SyntaxFault[]): Generator<CST.Token, void> {
  const parser = new Parser(lines.addNewLine);
  let count = 0;
  let errors = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      yield token;
      if (token.type === 'error' && (errors += 1) >= MOST_FAULTS) return;
    }
    const limit = limitPassed(parser.stack.length, (count += 1));
    if (limit !== null) {
      faults.push({ offset: Math.max(0, parser.offset - lexeme.length), message: limit });
      return;
    }
  }
  yield* parser.end();
}

function limitPassed(depth: number, tokens: number): string | null {
  if (depth > DEEPEST) return `expected at most ${DEEPEST} levels of nesting`;
  return tokens > MOST_TOKENS ? `expected at most ${MOST_TOKENS} YAML tokens` : null;
}

/** Warnings count as errors: an unknown tag would otherwise be ignored silently. */
function faultsOf(document: Document.Parsed): SyntaxFault[] {
  return [...document.errors, ...document.warnings].map(({ pos, message }) => ({ offset: pos[0], message }));
}
