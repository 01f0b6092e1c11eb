// npm run generate: everything that is written from the code.
import './generate-client.mjs';
import './generate-variable-tables.mjs';
import './generate-outcome-tables.mjs';
