import { Controller, Inject, Res } from '@nestjs/common';
import {
  exportedAward,
  exportedEvent,
  exportedRanking,
  exportedWinner,
  ProblemError,
  writeJson,
  UNKNOWN_USER,
  operations,
} from '@laurel/schemas';
import { type ApiCall, Call, sendDownload, Route } from '@laurel/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ADMINISTRATION_PORTS, type AdministrationPorts, type Exports } from '../ports.ts';
import { csvHeader, csvLine } from './csv.ts';
import { readRange, readWinners, type Format } from './export-query.ts';

const TYPES: Readonly<Record<Format, string>> = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8; header=present',
};

/** Streams exports, with one page of rows in memory at a time (specification, section 9.15). */
/** A cell holds no list. */
const AWARD_COLUMNS = exportedAward.omit({ boosts: true }).shape;

@Controller()
export class ExportController {
  readonly #exports: Exports;

  constructor(@Inject(ADMINISTRATION_PORTS) { exports }: Pick<AdministrationPorts, 'exports'>) {
    this.#exports = exports;
  }

  @Route(operations.exportEvents)
  events(@Call() { account, query, request }: ApiCall, @Res() reply: FastifyReply): Promise<void> {
    const { format, ...range } = readRange(query);
    const pages = this.#exports.events(account, range);
    return send(request, reply, { name: 'events', columns: exportedEvent.shape, pages, format });
  }

  @Route(operations.exportAwards)
  awards(@Call() { account, query, request }: ApiCall, @Res() reply: FastifyReply): Promise<void> {
    const { format, ...range } = readRange(query);
    const pages = this.#exports.awards(account, range);
    return send(request, reply, { name: 'awards', columns: AWARD_COLUMNS, pages, format });
  }

  @Route(operations.exportRankings)
  rankings(@Call() { account, query, request }: ApiCall, @Res() reply: FastifyReply): Promise<void> {
    const { format, ...range } = readRange(query);
    const pages = this.#exports.rankings(account, range);
    return send(request, reply, { name: 'rankings', columns: exportedRanking.shape, pages, format });
  }

  @Route(operations.exportWinners)
  winners(@Call() { account, query, request }: ApiCall, @Res() reply: FastifyReply): Promise<void> {
    const { format, ...run } = readWinners(query);
    const pages = this.#exports.winners(account, run);
    return send(request, reply, { name: 'winners', columns: exportedWinner.shape, pages, format });
  }

  @Route(operations.exportUser)
  async user(@Call() { account, path, request }: ApiCall<'id'>, @Res() reply: FastifyReply): Promise<void> {
    const chunks = await this.#exports.user(account, path.id);
    if (chunks === null) throw new ProblemError(UNKNOWN_USER);
    await sendDownload(request, reply, { type: 'application/json; charset=utf-8', name: 'user.json', pieces: chunks });
  }
}

interface ExportedRows {
  readonly name: string;
  /** An object whose keys name the columns, in their order. */
  readonly columns: object;
  readonly pages: AsyncGenerator<readonly object[], void>;
  readonly format: Format;
}

function send(request: FastifyRequest, reply: FastifyReply, { name, columns, pages, format }: ExportedRows) {
  const names = Object.keys(columns);
  const chunks = format === 'csv' ? csvChunks(names, pages) : ndjsonChunks(pages);
  return sendDownload(request, reply, { type: TYPES[format], name: `${name}.${format}`, pieces: chunks });
}

async function* ndjsonChunks(pages: AsyncGenerator<readonly object[], void>): AsyncGenerator<string, void> {
  for await (const page of pages) yield page.map((row) => `${writeJson(row)}\n`).join('');
}

/** Sends the header with the first rows, so that the answer is an error if these cannot be read. */
async function* csvChunks(
  columns: readonly string[],
  pages: AsyncGenerator<readonly object[], void>,
): AsyncGenerator<string, void> {
  let header = csvHeader(columns);
  for await (const page of pages) {
    const lines = page.map((row) => csvLine(columns, row)).join('');
    yield lines === '' ? '' : header + lines;
    if (lines !== '') header = '';
  }
  if (header !== '') yield header;
}
