import type { ConfigurationDocument } from '@laurel/schemas';
import type { LineCounter } from 'yaml';
import { formatPath } from './path.ts';
import type { Path } from './path.ts';
import { MOST_FAULTS } from './problem.ts';
import type { DocumentProblem } from './problem.ts';
import { validateDocument, validateDocumentInSteps, type CheckedDocument } from './validate-document.ts';
import { parseSyntax } from './yaml-syntax.ts';
import type { SyntaxFault } from './yaml-syntax.ts';
import { readValues } from './yaml-values.ts';

/** In bytes of UTF-8. */
export const LARGEST_DOCUMENT = 1_048_576;

export type ParsedDocument =
  { readonly document: ConfigurationDocument; readonly problems?: undefined; readonly more?: undefined } | Refused;

interface Refused {
  /** At most {@link MOST_FAULTS}. */
  readonly problems: readonly DocumentProblem[];
  /** Whether there are more problems, at which the search stopped. */
  readonly more: boolean;
  readonly document?: undefined;
}

/**
 * Reads a configuration document from YAML or JSON text (specification, section 9). Returns the document with all
 * defaults filled in, or its problems in the order of the file, at most a thousand. If the text is not YAML at all, the
 * fields are not checked. `fileName` is used only in problems. Never throws because of the text, and the cost is
 * bounded for any text.
 */
export function parseDocument(text: string, fileName: string): ParsedDocument {
  const read = readText(text, fileName);
  return read.problems ? read : concluded(read, validateDocument(read.checkable));
}

/** Like {@link parseDocument}, but checks the fields in chunks and yields to other work in between. */
export async function parseDocumentInSteps(text: string, fileName: string): Promise<ParsedDocument> {
  const read = readText(text, fileName);
  return read.problems ? read : concluded(read, await validateDocumentInSteps(read.checkable));
}

interface ReadText {
  readonly text: string;
  readonly fileName: string;
  readonly values: ReturnType<typeof readValues>;
  readonly lines: LineCounter;
  /** As much of the value as can be checked. */
  readonly checkable: unknown;
  readonly problems?: undefined;
}

function readText(text: string, fileName: string): ReadText | Refused {
  const bytes = Buffer.byteLength(text);
  if (bytes > LARGEST_DOCUMENT)
    return { problems: [{ file: fileName, line: 1, column: 1, path: '', message: tooLarge(bytes) }], more: false };
  const { document, faults, lines } = parseSyntax(text);
  if (document === null || faults.length > 0) return refused(faults, fileName, lines, false);
  const values = readValues(document);
  if (!values.isWhole) return refused(values.faults, fileName, lines, false);
  return { text, fileName, values, lines, checkable: values.value };
}

function concluded({ text, fileName, values, lines }: ReadText, checked: CheckedDocument): ParsedDocument {
  if (checked.document && values.faults.length === 0) {
    const offset = text.search(UNSTORABLE);
    if (offset < 0) return { document: checked.document };
    return refused([{ offset, message: 'expected text without NUL or lone surrogates' }], fileName, lines, false);
  }
  const located = (checked.faults ?? []).map((fault) => ({
    ...fault,
    offset: values.offsetOf(fault.path, fault.part),
  }));
  return refused([...values.faults, ...located], fileName, lines, checked.more ?? false);
}

/** Fields must not contain these characters; comments may. */
const UNSTORABLE = /[\0\p{Cs}]/u;

function refused(faults: readonly LocatedFault[], file: string, lines: LineCounter, more: boolean): Refused {
  const shown = faults.slice(0, MOST_FAULTS);
  return { problems: problemsOf(shown, file, lines), more: more || shown.length < faults.length };
}

type LocatedFault = SyntaxFault & { readonly path?: Path };

function tooLarge(bytes: number): string {
  return `expected a document of at most ${LARGEST_DOCUMENT} bytes, found ${bytes}`;
}

function problemsOf(faults: readonly LocatedFault[], file: string, lines: LineCounter): DocumentProblem[] {
  return faults
    .toSorted((a, b) => a.offset - b.offset)
    .map(({ offset, message, path = [] }) => {
      const { line, col } = lines.linePos(offset);
      return { file, line, column: col, path: formatPath(path), message };
    });
}
