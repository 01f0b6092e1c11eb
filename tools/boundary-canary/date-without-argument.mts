// as: libs/api/queries/src/canary.ts
// breaks: no-restricted-syntax: Instants come in as arguments
export const now = new Date();
