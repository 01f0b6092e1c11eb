import { Controller, Inject } from '@nestjs/common';
import {
  ProblemError,
  flagOf,
  invalidRequest,
  mistakenParameters,
  problemOf,
  type VerificationAnswer,
  operations,
} from '@laurel/schemas';
import { type ApiCall, Call, Route } from '@laurel/runtime';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from '../ports.ts';

/** Verifies the stored data (specification, section 11). */
@Controller()
export class VerificationsController {
  readonly #verifications: AdministrationPorts['verifications'];

  constructor(@Inject(ADMINISTRATION_PORTS) { verifications }: Pick<AdministrationPorts, 'verifications'>) {
    this.#verifications = verifications;
  }

  @Route(operations.startVerification)
  start(@Call() { query, request: { body } }: ApiCall): VerificationAnswer {
    const { full = 'false', only } = query;
    const errors = mistakenParameters(['full', 'only'], query);
    if (body && Object.keys(body).length > 0)
      errors.push({ path: '', message: 'must be empty: full and only belong to the query' });
    const isFull = flagOf(full);
    if (isFull === undefined) errors.push({ path: 'full', message: 'must be true or false' });
    if (only !== undefined && only !== 'log') errors.push({ path: 'only', message: 'must be log' });
    if (only === 'log' && isFull) errors.push({ path: 'only', message: 'must be left out with full' });
    if (errors.length > 0) throw new ProblemError(invalidRequest(errors));
    return this.#verifications.start({ full: isFull === true, onlyLog: only === 'log' });
  }

  @Route(operations.getVerification)
  find(@Call() { path }: ApiCall<'id'>): VerificationAnswer {
    const found = this.#verifications.find(path.id);
    if (found) return found;
    throw new ProblemError(
      problemOf('unknown_verification', 'No verification with this id was begun since the service started.'),
    );
  }
}
