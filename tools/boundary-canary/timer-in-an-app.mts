// as: apps/standalone/src/canary.ts
// breaks: no-restricted-globals: Unexpected use of 'setTimeout'
setTimeout(() => undefined, 1);
