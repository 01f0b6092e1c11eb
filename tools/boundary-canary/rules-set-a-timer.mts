// as: libs/domain/achievements/src/rules/canary.ts
// breaks: no-restricted-globals: Unexpected use of 'setTimeout'
setTimeout(() => undefined, 1);
