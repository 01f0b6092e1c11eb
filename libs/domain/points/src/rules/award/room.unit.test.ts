import { cutToRoom } from './room.ts';

describe('cutToRoom', () => {
  it('returns the whole award if there is room', () => {
    expect(cutToRoom(5, 10, 15)).toBe(5);
    expect(cutToRoom(-5, 5, 15)).toBe(-5);
  });

  it('reduces an award to the remaining room', () => {
    expect(cutToRoom(5, 12, 15)).toBe(3);
    expect(cutToRoom(-5, 3, 15)).toBe(-3);
  });

  it('returns nothing at the cap and at 0', () => {
    expect(cutToRoom(5, 15, 15)).toBe(0);
    expect(cutToRoom(-5, 0, 15)).toBe(0);
  });

  it('has no upper bound without a cap', () => {
    expect(cutToRoom(10n ** 30n, 10n ** 30n, null)).toBe(10n ** 30n);
  });

  it('adds nothing to a total above a lowered cap, but still deducts in full', () => {
    expect(cutToRoom(5, 20, 15)).toBe(0);
    expect(cutToRoom(-3, 20, 15)).toBe(-3);
  });
});
