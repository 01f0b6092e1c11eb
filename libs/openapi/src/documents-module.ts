import { createHash } from 'node:crypto';
import { Controller, type DynamicModule, Get, Module, Param, Req, Res } from '@nestjs/common';
import { DOCS_FILES, ProblemError, problemOf } from '@laurel/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CONTENT_SECURITY_POLICY, DOCS_PAGE, docsFile, isDocsFile } from './docs-page.ts';
import { openApiDocument } from './openapi-document.ts';

/** A text that is served, and a name for its content. */
interface Served {
  readonly content: string | Buffer;
  readonly type: string;
  readonly etag: string;
}

const served = (content: string | Buffer, type: string): Served => ({
  content,
  type: `${type}${type.startsWith('image/') ? '' : '; charset=utf-8'}`,
  etag: `"${createHash('sha256').update(content).digest('base64url')}"`,
});

/** `/openapi.json` and `/docs`, public: they say what the service can do, and nothing of what it holds. */
@Controller()
export class DocumentsController {
  /** Made when they are first asked for: most processes never are. */
  readonly #served = new Map<string, Served>();

  @Get('openapi.json')
  document(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const made = () => served(`${JSON.stringify(openApiDocument(), null, 2)}\n`, 'application/json');
    send(this.#once('/openapi.json', made), request, reply);
  }

  @Get('docs')
  page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    // The addresses in the page are relative: they hold for the path without a slash behind it.
    if (/\/(?:\?|$)/.test(request.url)) return void reply.code(308).header('location', '../docs').send();
    void reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
    send(
      this.#once('/docs', () => served(DOCS_PAGE, 'text/html')),
      request,
      reply,
    );
  }

  @Get('docs/:file')
  file(@Param('file') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    if (!isDocsFile(name)) throw new ProblemError(problemOf('unknown_path', 'There is nothing at this path.'));
    send(
      this.#once(`/docs/${name}`, () => served(docsFile(name), DOCS_FILES[name])),
      request,
      reply,
    );
  }

  #once(path: string, make: () => Served): Served {
    const made = this.#served.get(path) ?? make();
    this.#served.set(path, made);
    return made;
  }
}

/** A browser asks each time whether what it has is the present one: it changes with every release. */
function send({ content, type, etag }: Served, request: FastifyRequest, reply: FastifyReply): void {
  void reply.headers({
    'content-type': type,
    'cache-control': 'no-cache',
    etag,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
  if (isKnown(etag, request.headers['if-none-match'])) void reply.code(304).send();
  else void reply.send(content);
}

/** A proxy that compresses marks the name as weak. */
function isKnown(etag: string, known: string | undefined): boolean {
  return (known ?? '').split(',').some((name) => ['*', etag].includes(name.trim().replace(/^W\//, '')));
}

/** The routes of the documents. */
@Module({})
export class DocumentsModule {
  static register(): DynamicModule {
    return { module: DocumentsModule, controllers: [DocumentsController] };
  }
}
