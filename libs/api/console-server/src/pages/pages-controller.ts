import { Controller, Inject, Param, Req, Res } from '@nestjs/common';
import { ProblemError, problemOf, operations } from '@laurel/schemas';
import { Route } from '@laurel/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONSOLE_PORTS, type ConsolePorts } from '../ports.ts';
import type { WebFile } from './web-files.ts';

/** Scripts, styles, images and requests of the page stay within this origin. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

/**
 * Serves the console: one page for every path below `/console`, and its assets. They are public, because they contain
 * no data of the service.
 */
@Controller()
export class PagesController {
  readonly #ports: ConsolePorts;

  constructor(@Inject(CONSOLE_PORTS) ports: ConsolePorts) {
    this.#ports = ports;
  }

  @Route(operations.getConsole)
  home(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.#page(request, reply);
  }

  @Route(operations.getConsolePage)
  page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.#page(request, reply);
  }

  @Route(operations.getConsolePageOfOne)
  pageOfOne(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    this.#page(request, reply);
  }

  @Route(operations.getConsoleAsset)
  asset(@Param('file') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const file = this.#ports.files?.assets.get(name);
    if (file === undefined) throw new ProblemError(problemOf('unknown_path', 'There is nothing at this path.'));
    void reply.header('cache-control', 'public, max-age=31536000, immutable');
    send(file, request, reply);
  }

  #page(request: FastifyRequest, reply: FastifyReply): void {
    const { files } = this.#ports;
    if (files === null) throw new ProblemError(problemOf('unknown_path', 'The console was not built here.'));
    void reply.headers({
      'cache-control': 'no-cache',
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'cross-origin-opener-policy': 'same-origin',
    });
    send(files.page, request, reply);
  }
}

function send(file: WebFile, request: FastifyRequest, reply: FastifyReply): void {
  const encoding = preferred(String(request.headers['accept-encoding'] ?? ''));
  const etag = `"${file.etag}${encoding === 'plain' ? '' : `-${encoding}`}"`;
  void reply.headers({
    etag,
    'content-type': file.type,
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  if (request.headers['if-none-match'] === etag) return void reply.code(304).send();
  if (encoding !== 'plain') void reply.header('content-encoding', encoding);
  void reply.send(file[encoding]);
}

/** The smallest encoding that the browser accepts. `;q=0` refuses one. */
function preferred(accepted: string): 'br' | 'gzip' | 'plain' {
  const taken = accepted
    .toLowerCase()
    .split(',')
    .filter((coding) => !/;\s*q=0(?:\.0*)?\s*$/.test(coding))
    .map((coding) => coding.split(';', 1)[0]?.trim());
  return taken.includes('br') ? 'br' : taken.includes('gzip') ? 'gzip' : 'plain';
}
