// as: libs/domain/points/src/rules/canary.ts
// breaks: no-restricted-properties: 'Math.random' is restricted
export const dice = Math.random();
