// as: libs/domain/points/src/canary.laws.test.ts
// breaks: no-restricted-syntax: gives every law its seed
import fc from 'fast-check';
fc.assert(
  fc.property(fc.nat(), () => true),
  { numRuns: 5, seed: performance.now() },
);
