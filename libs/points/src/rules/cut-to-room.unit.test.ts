import { cutToRoom } from './cut-to-room.ts';

describe('an award', () => {
  it('is given whole where there is room', () => {
    expect(cutToRoom(5n, 10n, 15n)).toBe(5n);
    expect(cutToRoom(-5n, 5n, 15n)).toBe(-5n);
  });

  it('is cut to the room there is', () => {
    expect(cutToRoom(5n, 12n, 15n)).toBe(3n);
    expect(cutToRoom(-5n, 3n, 15n)).toBe(-3n);
  });

  it('is cut to nothing at the cap and at 0', () => {
    expect(cutToRoom(5n, 15n, 15n)).toBe(0n);
    expect(cutToRoom(-5n, 0n, 15n)).toBe(0n);
  });

  it('has no bound above without a cap', () => {
    expect(cutToRoom(10n ** 30n, 10n ** 30n, null)).toBe(10n ** 30n);
  });

  it('takes nothing away from a total above a lowered cap, but is still taken in full', () => {
    expect(cutToRoom(5n, 20n, 15n)).toBe(0n);
    expect(cutToRoom(-3n, 20n, 15n)).toBe(-3n);
  });
});
