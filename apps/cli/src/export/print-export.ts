import type { CommandContext } from '../command-context.ts';
import { connectService } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { plainLines } from '../terminal/plain-lines.ts';
import { printChunks } from '../terminal/print-answer.ts';

type Format = 'ndjson' | 'csv';

export interface RangeOptions extends ServiceOptions {
  readonly from?: string;
  readonly to?: string;
  readonly format: Format;
}

export interface WinnersOptions extends ServiceOptions {
  readonly leaderboard: string;
  readonly run?: string;
  readonly limit: number;
  readonly format: Format;
}

/** @throws CommandError with exit code 2 if it is refused or breaks off */
export async function printRange(
  what: 'events' | 'awards' | 'rankings',
  { from, to, format, ...options }: RangeOptions,
  context: CommandContext,
): Promise<void> {
  const query = { format, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const service = await connectService(options, context);
  const chunks = service.read((client, settings) =>
    client.GET(`/admin/v1/export/${what}`, { params: { query }, parseAs: 'stream', ...settings }),
  );
  await printChunks(chunks, context, safeFor(format, context));
}

/** @throws CommandError with exit code 2 if it is refused or breaks off */
export async function printWinners(
  { leaderboard, run, limit, format, ...options }: WinnersOptions,
  context: CommandContext,
): Promise<void> {
  const query = { leaderboard, limit, format, ...(run !== undefined && { run }) };
  const service = await connectService(options, context);
  const chunks = service.read((client, settings) =>
    client.GET('/admin/v1/export/winners', { params: { query }, parseAs: 'stream', ...settings }),
  );
  await printChunks(chunks, context, safeFor(format, context));
}

/**
 * Makes chunks safe for the output. Escapes in JSON do not change its value. CSV goes unchanged into a file, and
 * without control characters to a terminal.
 */
const safeFor = (format: Format, { stdout }: CommandContext): ((text: string) => string) =>
  format === 'ndjson' ? plainJson : stdout.isTTY === true ? plainLines : (text) => text;
