// as: libs/engine/src/canary.ts
// breaks: no-restricted-globals: Unexpected use of 'setInterval'
setInterval(() => undefined, 1);
