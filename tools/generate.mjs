// npm run generate: every table of the documents that is written from the code.
import './generate-variable-tables.mjs';
import './generate-declared-tables.mjs';
