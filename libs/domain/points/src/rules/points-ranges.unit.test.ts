import { LOWEST_TOP, pointsRanges } from './points-ranges.ts';

const NOBODY = Array.from({ length: 11 }, () => 0);

describe('pointsRanges', () => {
  it('returns 0–0 and ten equal, consecutive ranges from 1 to the given top', () => {
    const users = [5, 4, 3, 2, 1, 0, 0, 0, 0, 0, 7];
    const ranges = pointsRanges(1_000n, users);
    expect(ranges.map(({ from, to }) => `${from}–${to}`)).toEqual(
      ['0–0', '1–100', '101–200', '201–300', '301–400', '401–500', '501–600', '601–700', '701–800', '801–900', '901–1000'], // prettier-ignore
    );
    expect(ranges.map((range) => range.users)).toEqual(users);
  });

  it('returns ranges of one point each for the lowest top', () => {
    const ranges = pointsRanges(LOWEST_TOP, NOBODY);
    expect(ranges.map(({ from, to }) => [from, to])).toEqual(NOBODY.map((_, place) => [BigInt(place), BigInt(place)]));
  });
});
