import { Controller, Inject } from '@nestjs/common';
import { type AuditPage, operations } from '@laurel/schemas';
import { type ApiCall, Call, Route } from '@laurel/runtime';
import { ADMINISTRATION_PORTS, type AdministrationPorts } from '../ports.ts';
import { auditEntries } from './audit-entries.ts';
import { AUDIT_CURSOR, readAuditQuery } from './audit-query.ts';

/** Who did what, newest first (specification, section 9.14). */
@Controller()
export class AuditController {
  readonly #audit: AdministrationPorts['audit'];

  constructor(@Inject(ADMINISTRATION_PORTS) { audit }: Pick<AdministrationPorts, 'audit'>) {
    this.#audit = audit;
  }

  /** Takes two statements per page, however long the log is. */
  @Route(operations.listAudit)
  async list(@Call() { account, query }: ApiCall): Promise<AuditPage> {
    const { before, limit } = readAuditQuery(query);
    const { log, directory } = this.#audit;
    const records = await log.readAdministrative(account, before, limit + 1);
    const shown = records.slice(0, limit);
    const last = records.length > limit ? shown.at(-1) : undefined;
    return {
      entries: await auditEntries(account, shown, directory),
      next: last === undefined ? null : AUDIT_CURSOR.write(last.position),
    };
  }
}
