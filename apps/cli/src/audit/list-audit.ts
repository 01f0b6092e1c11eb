import type { AuditEntry } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { connectService } from '../service/service-connection.ts';
import { printPages, type ListOptions } from '../service/print-pages.ts';

/** Most entries per request. */
const PAGE = 100;

export async function listAudit(options: ListOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  await printPages(options, context, {
    header: HEADER,
    rowOf,
    none: 'nobody has done anything',
    rowsPerPage: PAGE,
    ask: async (query) => {
      const { entries, next } = await service.ask((client, settings) =>
        client.GET('/admin/v1/audit', { params: { query }, ...settings }),
      );
      return { rows: entries, next };
    },
  });
}

const HEADER = ['at', 'what', 'by', 'user', 'reason', 'details'];

const rowOf = ({ at, type, by, userId, reason, details }: AuditEntry): string[] => [
  at,
  type,
  by ?? 'not recorded',
  userId ?? '',
  reason ?? '',
  Object.entries(details)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', '),
];
