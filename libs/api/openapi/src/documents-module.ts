import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Controller, type DynamicModule, Inject, Module, Param, Req, Res } from '@nestjs/common';
import type { Configuration } from '@laurel/kernel';
import {
  DOCS_FILES,
  invalidRequest,
  mistakenParameters,
  mustBeOneOf,
  ProblemError,
  problemOf,
  type Tag,
  TAGS,
  operations,
} from '@laurel/schemas';
import { Route } from '@laurel/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { withConfiguredExamples } from './configured-examples.ts';
import { CONTENT_SECURITY_POLICY, DOCS_PAGE, docsFile, isDocsFile } from './docs-page.ts';
import { homePage } from './home-page.ts';
import { openApiDocument, type OpenApiDocument, RELEASE } from './openapi-document.ts';
import { selectTags } from './select-tags.ts';

/** Served content, plain and compressed, with a name for its version. */
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

/** The ports of the documents. */
export interface DocumentsPorts {
  /**
   * The configuration in force, the same object until it changes; null if there is none yet. Called for each request.
   */
  readonly configuration: () => Configuration | null;
  /** The path before every path of this service in browsers. Default: none. */
  readonly basePath?: string;
  /** Whether this process serves the console. Default: no. */
  readonly hasConsole?: boolean;
}

const DOCUMENTS_PORTS = Symbol('DOCUMENTS_PORTS');

/**
 * Serves `/`, `/openapi.json` and `/docs`. These are public: they describe the service, with keys of its configuration
 * in the examples, but contain no data.
 */
@Controller()
export class DocumentsController {
  /** Created at the first request, because most processes never get one. */
  readonly #served = new Map<string, Served>();
  readonly #ports: DocumentsPorts;
  /** `/openapi.json`, created once for each selection of tags. Cleared when the configuration changes. */
  readonly #documents = new LRUCache<string, Served>({ max: MOST_SELECTIONS });
  #documentsOf: Configuration | null = null;

  constructor(@Inject(DOCUMENTS_PORTS) ports: DocumentsPorts) {
    this.#ports = ports;
  }

  @Route(operations.getHomePage)
  home(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const { basePath = '' } = this.#ports;
    if (basePath !== '' && request.originalUrl.split('?', 1)[0] === basePath) return redirect(reply, `${basePath}/`);
    send(
      this.#once('/', () => served(homePage(RELEASE, this.#ports.hasConsole ?? false), 'text/html')),
      request,
      reply,
    );
  }

  @Route(operations.getOpenApiDocument)
  document(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    const tags = selectedTags(request.query as QueryOfDocument);
    const of = this.#ports.configuration();
    if (this.#documentsOf !== of) this.#documents.clear();
    this.#documentsOf = of;
    const selection = [...tags].join();
    const document = this.#documents.get(selection) ?? servedDocument(of, tags, this.#ports.basePath);
    this.#documents.set(selection, document);
    send(document, request, reply);
  }

  @Route(operations.getDocs)
  page(@Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    if (endsWithSlash(request)) return redirect(reply, '../docs');
    const made = () => served(DOCS_PAGE, 'text/html');
    send(this.#once('/docs', made), request, reply);
  }

  @Route(operations.getDocsFile)
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

/** Most cached selections of tags, at most about 400 KB each. */
const MOST_SELECTIONS = 20;

const EVERY_TAG = Object.keys(TAGS) as readonly Tag[];
/** Tags of operations for browsers, which clients do not need. */
const OF_BROWSERS: readonly Tag[] = ['Console', 'Documents'];

interface QueryOfDocument {
  readonly tags?: string | readonly string[];
}

/** The selected tags, in the order of the document. Default: all except those for browsers. @throws ProblemError 422 */
function selectedTags(query: QueryOfDocument): ReadonlySet<Tag> {
  const errors = mistakenParameters(['tags'], query);
  const asked = query.tags === undefined ? null : [query.tags].flat().flatMap((list) => list.split(','));
  const unknown = [...new Set(asked)].find((tag) => !Object.hasOwn(TAGS, tag));
  if (unknown !== undefined) errors.push({ path: 'tags', message: mustBeOneOf(EVERY_TAG).error({ input: unknown }) });
  if (errors.length > 0) throw new ProblemError(invalidRequest(errors));
  return new Set(EVERY_TAG.filter((tag) => (asked === null ? !OF_BROWSERS.includes(tag) : asked.includes(tag))));
}

function servedDocument(configuration: Configuration | null, tags: ReadonlySet<Tag>, basePath = ''): Served {
  const whole = configuration === null ? described() : withConfiguredExamples(described(), configuration);
  const document = selectTags(whole, tags);
  const servers = basePath === '' ? document.servers : [{ ...document.servers[0], url: basePath }];
  return served(`${JSON.stringify({ ...document, servers }, null, 2)}\n`, 'application/json');
}

let general: OpenApiDocument | null = null;

/** The document of the release, without a configuration. */
const described = (): OpenApiDocument => (general ??= openApiDocument());

const endsWithSlash = ({ url }: FastifyRequest): boolean => /\/(?:\?|$)/.test(url);

/** Redirects, because the relative addresses in a page work only for its path without a trailing slash. */
const redirect = (reply: FastifyReply, to: string): void => void reply.code(308).header('location', to).send();

/** Browsers revalidate the content each time, because it changes with every release. */
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

/** Compressing proxies mark the name as weak. */
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
