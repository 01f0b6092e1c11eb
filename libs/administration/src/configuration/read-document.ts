import { formatPath, validateDocument, type Fault } from '@laurel/configuration';
import {
  ProblemError,
  configurationRequest,
  invalidRequest,
  mistakenFields,
  problemOf,
  type ConfigurationDocument,
  type Problem,
  type ProblemItem,
} from '@laurel/contracts';

/**
 * The document of a request `{ "document": … }`, with every default filled in. So it is published: what is in the log must mean
 * the same when a default is another one day. @throws ProblemError 422 with every problem of the document by its path (the first thousand).
 */
export function readDocument(body: object): ConfigurationDocument {
  const mistaken = mistakenFields(configurationRequest, body);
  if (!Object.hasOwn(body, 'document') || mistaken.length > 0) throw new ProblemError(unreadable(body, mistaken));
  const checked = validateDocument((body as { readonly document: unknown }).document);
  if (checked.document === undefined) throw new ProblemError(refusal(checked.faults));
  return checked.document;
}

const unreadable = (body: object, mistaken: readonly ProblemItem[]): Problem =>
  invalidRequest([
    ...(Object.hasOwn(body, 'document') ? [] : [{ path: 'document', message: 'is required' }]),
    ...mistaken,
  ]);

/** @throws ProblemError 422 if `accept` is given and is neither true nor false */
export function readAccept(body: object): boolean {
  const { accept = false } = body as { readonly accept?: unknown };
  if (typeof accept === 'boolean') return accept;
  throw new ProblemError(invalidRequest([{ path: 'accept', message: 'must be true or false' }]));
}

/** Said in the sentence. */
const SAID = 3;
/** In `errors`: more than anybody reads. A document may have hundreds of thousands. */
const LISTED = 1_000;

function refusal(faults: readonly Fault[]): Problem {
  const errors = faults
    .slice(0, LISTED)
    .map(({ path, message }) => ({ path: formatPath(['document', ...path]), message }));
  const said = errors.slice(0, SAID).map(({ path, message }) => `${path}: ${message}`);
  const more = faults.length > SAID ? `; and ${faults.length - SAID} more` : '';
  return problemOf('invalid_request', `The document cannot be used. ${said.join('; ')}${more}.`, { errors });
}
