// as: libs/domain/points/src/rules/canary.ts
// breaks: no-restricted-syntax: Instants come in as arguments
export const now = Date.now();
