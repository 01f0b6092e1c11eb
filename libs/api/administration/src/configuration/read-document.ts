import { formatPath, parseDocumentInSteps, validateDocumentInSteps, type WrittenDocument } from '@laurel/configuration';
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
import { invalidField } from '@laurel/runtime';
import type { z } from 'zod';

/**
 * The document of a request `{ "document": … }` or `{ "text": … }`, with all defaults filled in. It is published in
 * this form, so that the log keeps its meaning if a default changes later.
 * @throws ProblemError 422 with the problems of the document by their paths (the first thousand).
 */
export async function readDocument(body: object): Promise<WrittenDocument> {
  const { text = null } = checked(configurationRequest.pick({ text: true }), body);
  const mistaken = [...wrongChoice(body, text), ...mistakenFields(configurationRequest, body)];
  if (mistaken.length > 0) throw new ProblemError(invalidRequest(mistaken));
  // Checking a document of 1 MiB takes a while, so other requests get their turn in between.
  return text === null ? readValues((body as { readonly document: unknown }).document) : readWritten(text);
}

function wrongChoice(body: object, text: string | null): readonly ProblemItem[] {
  const hasDocument = Object.hasOwn(body, 'document');
  if (text === null) return hasDocument ? [] : [{ path: 'document', message: 'is required' }];
  return hasDocument ? [{ path: 'text', message: 'cannot be sent together with document: send one of them' }] : [];
}

async function readValues(value: unknown): Promise<WrittenDocument> {
  const { document, faults, more } = await validateDocumentInSteps(value);
  if (document !== undefined) return { document, text: null };
  const items = faults.map(({ path, message }) => ({ path: formatPath(['document', ...path]), message }));
  throw new ProblemError(refusal(items, more));
}

async function readWritten(text: string): Promise<WrittenDocument> {
  const { document, problems, more } = await parseDocumentInSteps(text, 'text');
  if (document !== undefined) return { document, text };
  const items = problems.map(({ path, line, column, message }) => ({
    path: path === '' || path.startsWith('[') ? `text${path}` : `text.${path}`,
    message: `${message} (line ${line}, column ${column})`,
  }));
  throw new ProblemError(refusal(items, more));
}

/** The members of a publication request besides the document. */
interface PublicationRequest {
  /** Whether to record the document as the file last published from. */
  readonly accept: boolean;
  /** The id of the document's plan, or null to publish over any version. */
  readonly plan: string | null;
  readonly reason: string | null | undefined;
}

/** @throws ProblemError 422 for `accept`, or else for `plan` and `reason` */
export function readPublication(body: object): PublicationRequest {
  const { accept = false } = body as { readonly accept?: unknown };
  if (typeof accept !== 'boolean') throw invalidField('accept', 'must be true or false');
  const { plan = null, reason } = checked(configurationRequest.pick({ plan: true, reason: true }), body);
  return { accept, plan, reason };
}

/** Reads some members, whatever the others are. @throws ProblemError 422 */
function checked<Schema extends z.ZodType>(schema: Schema, body: object): z.output<Schema> {
  const { data, error } = schema.safeParse(body);
  if (error) throw new ProblemError(invalidRequest(problemItems(error)));
  return data;
}

/** Most problems that the sentence names. */
const NAMED = 3;

function refusal(errors: ProblemItem[], more: boolean): Problem {
  const named = errors.slice(0, NAMED).map(({ path, message }) => `${path}: ${message}`);
  const others = errors.length - NAMED + (more ? 1 : 0);
  const further = others > 0 ? `; and ${more ? 'at least ' : ''}${others} more` : '';
  return problemOf('invalid_request', `The document cannot be used. ${named.join('; ')}${further}.`, { errors });
}
