export { DocumentsModule } from './documents-module.ts';
export { openApiDocument } from './openapi-document.ts';
