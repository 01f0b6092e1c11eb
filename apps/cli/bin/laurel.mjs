#!/usr/bin/env node
// The built command line. It is a file of the repository because npm links a `bin` before anything is built.
try {
  await import('../dist/main.js');
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error('laurel: not built completely; run: npm ci && npm run build');
  process.exitCode = 2;
}
