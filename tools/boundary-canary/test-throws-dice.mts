// as: libs/domain/points/src/canary.unit.test.ts
// breaks: no-restricted-properties: so that a run can be repeated
export const drawn = Math.random();
