// as: libs/domain/points/src/canary.laws.test.ts
// breaks: nothing
import fc from 'fast-check';
fc.assert(
  fc.property(fc.nat(), () => true),
  { numRuns: 5, seed: 14 },
);
