import type { CommandContext } from '../command-context.ts';
import { InterruptedError } from '../command-error.ts';
import { connectService } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { plainJson } from '../terminal/plain-json.ts';
import { plainLines } from '../terminal/plain-lines.ts';
import { print } from '../terminal/print.ts';

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
  const pieces = service.read((client, settings) =>
    client.GET(`/admin/v1/export/${what}`, { params: { query }, parseAs: 'stream', ...settings }),
  );
  await printPieces(pieces, format, context);
}

/** @throws CommandError with exit code 2 if it is refused or breaks off */
export async function printWinners(
  { leaderboard, run, limit, format, ...options }: WinnersOptions,
  context: CommandContext,
): Promise<void> {
  const query = { leaderboard, limit, format, ...(run !== undefined && { run }) };
  const service = await connectService(options, context);
  const pieces = service.read((client, settings) =>
    client.GET('/admin/v1/export/winners', { params: { query }, parseAs: 'stream', ...settings }),
  );
  await printPieces(pieces, format, context);
}

/** JSON keeps its value whatever is escaped in it; CSV goes into a file as it is, and onto a terminal without what could harm it. */
async function printPieces(pieces: AsyncIterable<string>, format: Format, context: CommandContext): Promise<void> {
  const { stdout, interrupted } = context;
  const safe = format === 'ndjson' ? plainJson : stdout.isTTY === true ? plainLines : (text: string) => text;
  for await (const piece of pieces) {
    if (interrupted.aborted) throw new InterruptedError();
    await print(stdout, safe(piece));
  }
}
