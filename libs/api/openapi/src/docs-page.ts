import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DOCS_FILES, type DocsFile } from '@laurel/schemas';
import { ERRORS_STYLE, errorsPage } from './errors-page.ts';
import { HOME_SCRIPT, HOME_STYLE } from './home-page.ts';

/** The page `/docs`. Its addresses are relative, so it also works behind a proxy that adds a path. */
export const DOCS_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Laurel API</title>
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="icon" type="image/png" href="docs/favicon.png">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <noscript>This page needs JavaScript. The same is in <a href="openapi.json">openapi.json</a>.</noscript>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/docs.js"></script>
  </body>
</html>
`;

/** By default, Swagger UI sends every document to a validator on the internet. */
const DOCS_SCRIPT = `window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

/** The files that are generated here. */
const WRITTEN: Partial<Record<DocsFile, () => string>> = {
  'docs.js': () => DOCS_SCRIPT,
  'errors.css': () => ERRORS_STYLE,
  'home.css': () => HOME_STYLE,
  'home.js': () => HOME_SCRIPT,
  errors: errorsPage,
};

/** The files in the package of Swagger UI, by their names there. */
const PACKAGED: Partial<Record<DocsFile, string>> = {
  'swagger-ui.css': 'swagger-ui.css',
  'swagger-ui-bundle.js': 'swagger-ui-bundle.js',
  'favicon.png': 'favicon-32x32.png',
};

/**
 * Scripts, styles and requests of the page stay within this origin. Swagger UI's pictures are in its style
 * sheet, as data.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The content of a file of the page. No other file of the disk is served. */
export function docsFile(name: DocsFile): string | Buffer {
  return WRITTEN[name]?.() ?? readFileSync(join(folder, PACKAGED[name] ?? name));
}

export const isDocsFile = (name: string): name is DocsFile => Object.hasOwn(DOCS_FILES, name);
