// as: libs/api/runtime/src/clock.ts
// breaks: nothing
setTimeout(() => undefined, Date.now());
