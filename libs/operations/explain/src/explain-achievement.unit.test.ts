import { sampleConfiguration } from '@laurel/testing/http-modules';
import { askRules } from './explain-achievement.ts';

const NOON = Date.UTC(2026, 0, 2, 12);
const CONFIGURATION = sampleConfiguration('default');
const asked = (length: number) =>
  askRules(null, CONFIGURATION, 'week', { at: NOON, total: 0n, length, attributeHashes: new Map() });

describe('the explanation of a streak achievement', () => {
  it.each([0, 1, 6])('says that the rest of the length is missing, at a length of %i', (have) => {
    expect(asked(have)).toEqual({ status: 'open', missing: { type: 'count', have, need: 7 } });
  });

  it.each([7, 8])('says that it is met, at a length of %i', (length) => {
    expect(asked(length)).toEqual({ status: 'met' });
  });
});
