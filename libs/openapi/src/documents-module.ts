import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Controller, type DynamicModule, Get, Inject, Module, Param, Req, Res } from '@nestjs/common';
import { type Configuration, DOCS_FILES, ProblemError, problemOf } from '@laurel/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { withConfiguredExamples } from './configured-examples.ts';
import { CONTENT_SECURITY_POLICY, DOCS_PAGE, docsFile, isDocsFile } from './docs-page.ts';
import { homePage } from './home-page.ts';
import { openApiDocument, type OpenApiDocument, RELEASE } from './openapi-document.ts';

/** Something that is served, as it is and compressed, and a name for its content. */
interface Served {
  readonly content: Buffer;
  readonly gzipped: Buffer;
  readonly type: string;
  readonly name: string;
}

const served = (text: string | Buffer, type: string): Served => {
  const content = Buffer.from(text);
  return {
    content,
    gzipped: gzipSync(content),
    type: `${type}${type.startsWith('image/') ? '' : '; charset=utf-8'}`,
    name: createHash('sha256').update(content).digest('base64url'),
  };
};

/** What the documents know of the service that serves them. */
export interface DocumentsPorts {
  /** The configuration in force, the same object until another one is; null: none yet. Asked at each request. */
  readonly configuration: () => Configuration | null;
}

const DOCUMENTS_PORTS = Symbol('DOCUMENTS_PORTS');

/**
 * `/`, `/openapi.json` and `/docs`, public: they say what the service can do, with keys of its configuration in the examples, and
 * nothing of what it holds.
 */
@Controller()
export class DocumentsController {
  /** Made when they are first asked for: most processes never are. */
  readonly #served = new Map<string, Served>();
  readonly #ports: DocumentsPorts;
  /** `/openapi.json`, made once for each configuration: the one before it is forgotten. */
  #document: { readonly of: Configuration | null; readonly served: Served } | null = null;

  constructor(@Inject(DOCUMENTS_PORTS) ports: DocumentsPorts) {
    this.#ports = ports;
  }

  @Get()
  home(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    send(
      this.#once('/', () => served(homePage(RELEASE), 'text/html')),
      request,
      reply,
    );
  }

  @Get('openapi.json')
  document(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const of = this.#ports.configuration();
    if (this.#document?.of !== of) this.#document = null;
    this.#document ??= { of, served: servedDocument(of) };
    send(this.#document.served, request, reply);
  }

  @Get('docs')
  page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    if (endsWithSlash(request)) return redirect(reply, '../docs');
    const made = () => served(DOCS_PAGE, 'text/html');
    send(this.#once('/docs', made), request, reply);
  }

  @Get('docs/:file')
  file(@Param('file') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    if (name === 'errors' && endsWithSlash(request)) return redirect(reply, '../errors');
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

function servedDocument(configuration: Configuration | null): Served {
  const document = configuration === null ? described() : withConfiguredExamples(described(), configuration);
  return served(`${JSON.stringify(document, null, 2)}\n`, 'application/json');
}

let general: OpenApiDocument | null = null;

/** The document of the release, whatever is published. */
const described = (): OpenApiDocument => (general ??= openApiDocument());

const endsWithSlash = ({ url }: FastifyRequest): boolean => /\/(?:\?|$)/.test(url);

/** The addresses in a page are relative: they hold for its path without a slash behind it. */
const redirect = (reply: FastifyReply, to: string): void => void reply.code(308).header('location', to).send();

/** A browser asks each time whether what it has is the present one: it changes with every release. */
function send({ content, gzipped, type, name }: Served, request: FastifyRequest, reply: FastifyReply): void {
  const compressed = acceptsGzip(request.headers['accept-encoding']);
  void reply.headers({
    'content-type': type,
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
    etag: compressed ? `"${name}-gzip"` : `"${name}"`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...(type.startsWith('text/html') && { 'content-security-policy': CONTENT_SECURITY_POLICY }),
  });
  if (isKnown(name, request.headers['if-none-match'])) return void reply.code(304).send();
  if (compressed) void reply.header('content-encoding', 'gzip');
  void reply.send(compressed ? gzipped : content);
}

function acceptsGzip(accepted: string | string[] | undefined): boolean {
  const codings = String(accepted ?? '')
    .toLowerCase()
    .split(',');
  const wanted = codings.find((coding) => /^\s*(?:gzip|\*)\s*(?:;|$)/.test(coding));
  return wanted !== undefined && !/;\s*q=0(?:\.0*)?\s*$/.test(wanted);
}

/** A proxy that compresses marks the name as weak. */
function isKnown(name: string, known: string | undefined): boolean {
  const names = (known ?? '').split(',').map((etag) => etag.trim().replace(/^W\//, ''));
  return names.some((etag) => ['*', `"${name}"`, `"${name}-gzip"`].includes(etag));
}

/** The routes of the documents. */
@Module({})
export class DocumentsModule {
  static register(ports: DocumentsPorts): DynamicModule {
    return {
      module: DocumentsModule,
      controllers: [DocumentsController],
      providers: [{ provide: DOCUMENTS_PORTS, useValue: ports }],
    };
  }
}
