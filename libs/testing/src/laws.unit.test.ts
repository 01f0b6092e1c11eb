import fc from 'fast-check';
import { assertCovering } from './laws.ts';

const numRuns = 5;

it('assertCovering continues until the inputs have covered every case', async () => {
  let runs = 0;
  const law = fc.property(fc.nat(), () => void runs++);
  await assertCovering(law, { numRuns }, () => ({ some: runs > 0, many: runs > 12 }));
  expect(runs).toBe(15);
});

it('assertCovering tries other inputs in each round', async () => {
  const inputs = new Set<number>();
  const law = fc.property(fc.maxSafeNat(), (input) => void inputs.add(input));
  await assertCovering(law, { numRuns }, () => ({ many: inputs.size > 12 }));
  expect(inputs.size).toBeGreaterThan(12);
});

it('assertCovering names the cases that no input covers', async () => {
  const law = fc.property(fc.nat(), () => undefined);
  const covered = () => ({ some: true, none: false });
  await expect(assertCovering(law, { numRuns }, covered)).rejects.toThrow('100 random inputs do not cover: none');
});

it('assertCovering fails with the input that breaks the law', async () => {
  const law = fc.asyncProperty(fc.constant(7), (number) => Promise.resolve(number !== 7));
  await expect(assertCovering(law, { numRuns }, () => ({}))).rejects.toThrow('Counterexample: [7]');
});
