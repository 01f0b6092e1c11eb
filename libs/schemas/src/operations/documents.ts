import { z } from 'zod';
import { operationsOf } from './operation.ts';
import { inPath, inQuery } from './parameters.ts';
import { type Tag, TAGS } from './tags.ts';

/** The files below `/docs`: a page that explains every error, and the files of the pages. */
export const DOCS_FILES = {
  errors: 'text/html',
  'errors.css': 'text/css',
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
  'docs.js': 'text/javascript',
  'home.css': 'text/css',
  'home.js': 'text/javascript',
  'favicon.png': 'image/png',
} as const;

export type DocsFile = keyof typeof DOCS_FILES;

const FILE = inPath(
  'file',
  z
    .enum(Object.keys(DOCS_FILES) as [DocsFile, ...DocsFile[]])
    .meta({ description: '`errors`, the page that explains every error, or a file of the pages.' }),
);

export const DOCUMENT_OPERATIONS = operationsOf('Documents', {
  getOpenApiDocument: {
    method: 'get',
    path: '/openapi.json',
    scope: null,
    summary: 'Read this description in OpenAPI 3.1',
    parameters: [
      inQuery(
        'tags',
        z
          .array(z.enum(Object.keys(TAGS) as [Tag, ...Tag[]]))
          .min(1)
          .meta({
            description:
              'Only the operations with these tags, and the schemas that they use. Repeat the parameter, or separate tags by commas. Absent: all but Console and Documents.',
            examples: [['Events', 'Users']],
          }),
      ),
    ],
    answers: {
      200: {
        description: 'The document, with an `ETag`.',
        schema: z.record(z.string(), z.unknown()),
        example: { openapi: '3.1.0', info: { title: 'Laurel', version: '0.1.0' }, paths: {}, components: {} },
      },
      304: { description: 'Not modified: it still is the version named in `If-None-Match`.', schema: null },
    },
    problems: ['invalid_request'],
  },
  getHomePage: {
    method: 'get',
    path: '/',
    scope: null,
    summary: 'Show the start page',
    answers: { 200: { description: 'A page with links to the others.', schema: null, type: 'text/html' } },
  },
  getDocs: {
    method: 'get',
    path: '/docs',
    scope: null,
    summary: 'Browse and try the API',
    answers: { 200: { description: 'A page that works without the internet.', schema: null, type: 'text/html' } },
  },
  getDocsFile: {
    method: 'get',
    path: '/docs/{file}',
    scope: null,
    summary: 'Read about an error, or a file of the pages',
    parameters: [FILE],
    answers: { 200: { description: 'The file.', schema: null, type: '*/*' } },
    problems: ['unknown_path'],
  },
});
