// node bench/distributed.mjs [OPTIONS]: what an event costs in each form of an installation. The same as
// `npm run bench -- --parts distributed`; bench/README.md has the options and says how to read the tables.
process.argv.push('--parts', 'distributed');
await import('./run.mjs');
