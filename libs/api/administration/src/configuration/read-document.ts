import { formatPath, parseDocumentInTurns, validateDocumentInTurns, type WrittenDocument } from '@laurel/configuration';
import {
  ProblemError,
  configurationRequest,
  invalidRequest,
  mistakenFields,
  problemItems,
  problemOf,
  type Problem,
  type ProblemItem,
} from '@laurel/schemas';

/**
 * The document of a request `{ "document": … }` or `{ "text": … }`, with every default filled in. So it is published: what is in the log
 * must mean the same when a default is another one day.
 * @throws ProblemError 422 with the problems of the document by their paths (the first thousand).
 */
export async function readDocument(body: object): Promise<WrittenDocument> {
  const text = readText(body);
  const mistaken = [...wrongChoice(body, text), ...mistakenFields(configurationRequest, body)];
  if (mistaken.length > 0) throw new ProblemError(invalidRequest(mistaken));
  // Others have their turn meanwhile: a document of 1 MiB takes a while to check.
  return text === null ? readValues((body as { readonly document: unknown }).document) : readWritten(text);
}

/** @throws ProblemError 422 if `text` is given and is none */
function readText(body: object): string | null {
  const { data, error } = configurationRequest.pick({ text: true }).safeParse(body);
  if (error) throw new ProblemError(invalidRequest(problemItems(error)));
  return data.text ?? null;
}

function wrongChoice(body: object, text: string | null): readonly ProblemItem[] {
  const hasDocument = Object.hasOwn(body, 'document');
  if (text === null) return hasDocument ? [] : [{ path: 'document', message: 'is required' }];
  return hasDocument ? [{ path: 'text', message: 'cannot be sent together with document: send one of them' }] : [];
}

async function readValues(value: unknown): Promise<WrittenDocument> {
  const { document, faults, more } = await validateDocumentInTurns(value);
  if (document !== undefined) return { document, text: null };
  const items = faults.map(({ path, message }) => ({ path: formatPath(['document', ...path]), message }));
  throw new ProblemError(refusal(items, more));
}

async function readWritten(text: string): Promise<WrittenDocument> {
  const { document, problems, more } = await parseDocumentInTurns(text, 'text');
  if (document !== undefined) return { document, text };
  const items = problems.map(({ path, line, column, message }) => ({
    path: path === '' || path.startsWith('[') ? `text${path}` : `text.${path}`,
    message: `${message} (line ${line}, column ${column})`,
  }));
  throw new ProblemError(refusal(items, more));
}

/** @throws ProblemError 422 if `reason` is given and cannot be one */
export function readReason(body: object): string | null | undefined {
  const { data, error } = configurationRequest.pick({ reason: true }).safeParse(body);
  if (error) throw new ProblemError(invalidRequest(problemItems(error)));
  return data.reason;
}

/** @throws ProblemError 422 if `plan` is given and cannot be the id of one */
export function readPlan(body: object): string | null {
  const { data, error } = configurationRequest.pick({ plan: true }).safeParse(body);
  if (error) throw new ProblemError(invalidRequest(problemItems(error)));
  return data.plan ?? null;
}

/** @throws ProblemError 422 if `accept` is given and is neither true nor false */
export function readAccept(body: object): boolean {
  const { accept = false } = body as { readonly accept?: unknown };
  if (typeof accept === 'boolean') return accept;
  throw new ProblemError(invalidRequest([{ path: 'accept', message: 'must be true or false' }]));
}

/** Said in the sentence. */
const SAID = 3;

function refusal(errors: ProblemItem[], more: boolean): Problem {
  const said = errors.slice(0, SAID).map(({ path, message }) => `${path}: ${message}`);
  const others = errors.length - SAID + (more ? 1 : 0);
  const further = others > 0 ? `; and ${more ? 'at least ' : ''}${others} more` : '';
  return problemOf('invalid_request', `The document cannot be used. ${said.join('; ')}${further}.`, { errors });
}
