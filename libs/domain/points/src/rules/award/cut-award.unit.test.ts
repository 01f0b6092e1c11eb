import { cutAward } from './cut-award.ts';

describe('an award', () => {
  it('keeps its points if there is room for all of them', () => {
    expect(cutAward(5, { total: 10, maxPoints: 15, rooms: [] })).toEqual({ points: 5, cutBy: null });
    expect(cutAward(-5, { total: 5, maxPoints: 15, rooms: [] })).toEqual({ points: -5, cutBy: null });
    expect(cutAward(5, { total: 10, maxPoints: null, rooms: [] })).toEqual({ points: 5, cutBy: null });
  });

  it('is cut by the cap, or at zero, whatever is left of it', () => {
    expect(cutAward(5, { total: 12, maxPoints: 15, rooms: [] })).toEqual({ points: 3, cutBy: 'cap' });
    expect(cutAward(5, { total: 15, maxPoints: 15, rooms: [] })).toEqual({ points: 0, cutBy: 'cap' });
    expect(cutAward(-5, { total: 3, maxPoints: 15, rooms: [] })).toEqual({ points: -3, cutBy: 'zero' });
    expect(cutAward(-5, { total: 0, maxPoints: 15, rooms: [] })).toEqual({ points: 0, cutBy: 'zero' });
  });

  it('is cut by the rooms of caps before that, and names the last cut that took something', () => {
    const bounds = { total: 10, maxPoints: 15 };
    const own = (left: number) => ({ left, cutBy: 'trigger_cap' as const });
    const shared = (left: number) => ({ left, cutBy: 'system_cap' as const });
    expect(cutAward(9, { ...bounds, rooms: [own(4), shared(6)] })).toEqual({ points: 4, cutBy: 'trigger_cap' });
    expect(cutAward(9, { ...bounds, rooms: [own(4), shared(7), shared(3)] })).toEqual({
      points: 3,
      cutBy: 'system_cap',
    });
    expect(cutAward(9, { ...bounds, rooms: [own(8), shared(7)] })).toEqual({ points: 5, cutBy: 'cap' });
    expect(cutAward(9, { total: 15, maxPoints: 15, rooms: [own(0)] })).toEqual({ points: 0, cutBy: 'trigger_cap' });
  });
});
