export { DocumentsModule, type DocumentsPorts } from './documents-module.ts';
export { openApiDocument, type OpenApiDocument } from './openapi-document.ts';
