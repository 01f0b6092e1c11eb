import { subjectOf } from '@laurel/testing/subjects';
import { exactOf } from '@laurel/amounts';
import { compareStandings, isOnBoard, type Standing } from './standing.ts';

const standing = (fields: Partial<Standing> = {}): Standing => ({
  subject: subjectOf('ada'),
  score: 1,
  reachedAt: 1000,
  position: 1,
  ordinal: 0,
  ...fields,
});
describe('compareStandings', () => {
  const ordered = (ahead: Partial<Standing>, behind: Partial<Standing>): void => {
    expect(compareStandings(standing(ahead), standing(behind))).toBeLessThan(0);
    expect(compareStandings(standing(behind), standing(ahead))).toBeGreaterThan(0);
  };

  it('puts the higher value first, compared exactly at any size', () => {
    ordered({ score: 2, reachedAt: 9 }, { score: 1, reachedAt: 1 });
    ordered({ score: exactOf(2n ** 53n + 1n) }, { score: exactOf(2n ** 53n) });
    ordered({ score: exactOf(2n ** 53n) }, { score: Number.MAX_SAFE_INTEGER });
  });

  it('puts the earlier of two equal values first', () => {
    ordered({ reachedAt: 1, position: 9 }, { reachedAt: 2, position: 1 });
    ordered({ score: exactOf(2n ** 60n), reachedAt: 1 }, { score: exactOf(2n ** 60n), reachedAt: 2 });
  });

  it('then compares the order of recording, and within one event the order of its causes', () => {
    ordered({ position: 1, ordinal: 9 }, { position: 2, ordinal: 0 });
    ordered({ ordinal: 0 }, { ordinal: 1 });
  });

  it('returns 0 only for the same user', () => {
    ordered({ subject: 1 }, { subject: 2 });
    expect(compareStandings(standing(), standing())).toBe(0);
  });
});

describe('isOnBoard', () => {
  it('is true only for values above 0', () => {
    expect(isOnBoard(undefined)).toBe(false);
    expect(isOnBoard(standing({ score: 0 }))).toBe(false);
    expect(isOnBoard(standing({ score: -1 }))).toBe(false);
    expect(isOnBoard(standing({ score: 1 }))).toBe(true);
  });
});
