import { cutToRoom } from './room.ts';

describe('an award', () => {
  it('is given in full if there is room', () => {
    expect(cutToRoom(5, 10, 15)).toBe(5);
    expect(cutToRoom(-5, 5, 15)).toBe(-5);
  });

  it('is cut to the remaining room', () => {
    expect(cutToRoom(5, 12, 15)).toBe(3);
    expect(cutToRoom(-5, 3, 15)).toBe(-3);
  });

  it('is cut to nothing at the cap and at 0', () => {
    expect(cutToRoom(5, 15, 15)).toBe(0);
    expect(cutToRoom(-5, 0, 15)).toBe(0);
  });

  it('has no upper bound without a cap', () => {
    expect(cutToRoom(10n ** 30n, 10n ** 30n, null)).toBe(10n ** 30n);
  });

  it('does not reduce a total above a lowered cap, while a negative award is still taken in full', () => {
    expect(cutToRoom(5, 20, 15)).toBe(0);
    expect(cutToRoom(-3, 20, 15)).toBe(-3);
  });
});
