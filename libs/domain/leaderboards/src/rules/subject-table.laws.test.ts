import fc from 'fast-check';
import { NO_SLOT, StandingSlots } from './standing-slots.ts';
import { SubjectTable } from './subject-table.ts';

/** Few, so that they come back and collide. */
const subjects = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 20 }))
  .map(([high, low]) => high * 2 ** 32 + low);

describe('SubjectTable', () => {
  it('finds the same as a Map after any additions and removals', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), subjects), { minLength: 50, maxLength: 300 }), (program) => {
        const slots = new StandingSlots();
        const table = new SubjectTable(slots);
        const expected = new Map<number, number>();
        for (const [adds, subject] of program) {
          const slot = expected.get(subject);
          if (adds && slot === undefined) {
            const added = slots.add({ subject, score: 1, reachedAt: 0, position: 0, ordinal: 0 });
            table.add(added);
            expected.set(subject, added);
          } else if (!adds && slot !== undefined) {
            table.remove(subject);
            slots.remove(slot);
            expected.delete(subject);
          }
          expect(table.size).toBe(expected.size);
          expect(program.filter(([, one]) => table.find(one) !== (expected.get(one) ?? NO_SLOT))).toEqual([]);
        }
      }),
      { numRuns: 50 },
    );
  });
});
