import type { AuditEntry } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { connectService, type ServiceConnection } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { table } from '../terminal/table.ts';

export interface AuditOptions extends ServiceOptions {
  readonly limit: number;
  readonly json?: true;
}

/** As many as one request gives. */
const PAGE = 100;

export async function listAudit({ limit, ...options }: AuditOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const rows: string[][] = [];
  for await (const entries of pages(service, limit)) {
    if (options.json) await print(context.stdout, entries.map(jsonLine).join(''));
    else rows.push(...entries.map(rowOf));
  }
  if (!options.json)
    await printLines(context.stdout, rows.length === 0 ? ['nobody has done anything'] : table(HEADER, rows));
}

/** The newest `limit` entries, a page at a time. */
async function* pages(service: ServiceConnection, limit: number): AsyncGenerator<readonly AuditEntry[]> {
  let cursor: string | undefined;
  for (let left = limit; left > 0;) {
    const query = { limit: Math.min(PAGE, left), ...(cursor !== undefined && { cursor }) };
    const { entries, next } = await service.ask((client, settings) =>
      client.GET('/admin/v1/audit', { params: { query }, ...settings }),
    );
    yield entries;
    if (next === null) return;
    left -= entries.length;
    cursor = next;
  }
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
