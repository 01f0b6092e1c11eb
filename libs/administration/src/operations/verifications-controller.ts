import { Controller, Get, HttpCode, Inject, Param, Post, Query } from '@nestjs/common';
import { ProblemError, invalidRequest, problemOf, type VerificationAnswer } from '@laurel/contracts';
import { RequiresScope } from '@laurel/runtime';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from '../ports.ts';

const ELSEWHERE = problemOf(
  'not_in_this_topology',
  'The event store is EventStoreDB: what the services store can be compared in SQL with a log in Postgres only.',
);

/** Checks of what is stored (specification, section 11). */
@Controller('admin/v1/verifications')
export class VerificationsController {
  readonly #verifications: AdministrationPorts['verifications'];

  constructor(@Inject(ADMINISTRATION_PORTS) { verifications }: Pick<AdministrationPorts, 'verifications'>) {
    this.#verifications = verifications;
  }

  @Post()
  @HttpCode(202)
  @RequiresScope('admin')
  start(@Query() { full = 'false' }: Readonly<Record<string, unknown>>): VerificationAnswer {
    if (this.#verifications === null) throw new ProblemError(ELSEWHERE);
    if (full !== 'true' && full !== 'false')
      throw new ProblemError(invalidRequest([{ path: 'full', message: 'must be true or false' }]));
    return this.#verifications.start(full === 'true');
  }

  @Get(':id')
  @RequiresScope('admin')
  find(@Param('id') id: string): VerificationAnswer {
    const found = this.#verifications?.find(id);
    if (found) return found;
    throw new ProblemError(
      problemOf('unknown_verification', 'No verification with this id was begun since the service started.'),
    );
  }
}
