import { cutAward } from './cut-award.ts';

describe('an award', () => {
  it('keeps its points if there is room for all of them', () => {
    expect(cutAward(5, { total: 10, maxPoints: 15 })).toEqual({ points: 5, cutBy: null });
    expect(cutAward(-5, { total: 5, maxPoints: 15 })).toEqual({ points: -5, cutBy: null });
    expect(cutAward(5, { total: 10, maxPoints: null })).toEqual({ points: 5, cutBy: null });
  });

  it('is cut by the cap, or at zero, whatever is left of it', () => {
    expect(cutAward(5, { total: 12, maxPoints: 15 })).toEqual({ points: 3, cutBy: 'cap' });
    expect(cutAward(5, { total: 15, maxPoints: 15 })).toEqual({ points: 0, cutBy: 'cap' });
    expect(cutAward(-5, { total: 3, maxPoints: 15 })).toEqual({ points: -3, cutBy: 'zero' });
    expect(cutAward(-5, { total: 0, maxPoints: 15 })).toEqual({ points: 0, cutBy: 'zero' });
  });
});
