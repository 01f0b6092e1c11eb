// as: libs/runtime/src/clock.ts
// breaks: nothing
setTimeout(() => undefined, Date.now());
