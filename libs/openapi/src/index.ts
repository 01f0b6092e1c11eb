export { DocumentsModule } from './documents-module.ts';
export { openApiDocument, type OpenApiDocument } from './openapi-document.ts';
