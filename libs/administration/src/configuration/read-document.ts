import { formatPath, validateDocumentInTurns, type CheckedDocument } from '@laurel/configuration';
import {
  ProblemError,
  configurationRequest,
  invalidRequest,
  mistakenFields,
  problemItems,
  problemOf,
  type ConfigurationDocument,
  type Problem,
  type ProblemItem,
} from '@laurel/contracts';

/**
 * The document of a request `{ "document": … }`, with every default filled in. So it is published: what is in the log must mean
 * the same when a default is another one day. Others have their turn meanwhile: a document of 1 MiB takes a while to check.
 * @throws ProblemError 422 with the problems of the document by their paths (the first thousand).
 */
export async function readDocument(body: object): Promise<ConfigurationDocument> {
  const mistaken = mistakenFields(configurationRequest, body);
  if (!Object.hasOwn(body, 'document') || mistaken.length > 0) throw new ProblemError(unreadable(body, mistaken));
  const checked = await validateDocumentInTurns((body as { readonly document: unknown }).document);
  if (checked.document === undefined) throw new ProblemError(refusal(checked));
  return checked.document;
}

const unreadable = (body: object, mistaken: readonly ProblemItem[]): Problem =>
  invalidRequest([
    ...(Object.hasOwn(body, 'document') ? [] : [{ path: 'document', message: 'is required' }]),
    ...mistaken,
  ]);

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

type Refused = Extract<CheckedDocument, { faults: readonly object[] }>;

/** Said in the sentence. */
const SAID = 3;

function refusal({ faults, more }: Refused): Problem {
  const errors = faults.map(({ path, message }) => ({ path: formatPath(['document', ...path]), message }));
  const said = errors.slice(0, SAID).map(({ path, message }) => `${path}: ${message}`);
  const others = faults.length - SAID + (more ? 1 : 0);
  const further = others > 0 ? `; and ${more ? 'at least ' : ''}${others} more` : '';
  return problemOf('invalid_request', `The document cannot be used. ${said.join('; ')}${further}.`, { errors });
}
