import { seedOf, testSeed } from './seed-of.ts';

describe('seedOf', () => {
  const given = process.env['LAUREL_TEST_SEED'];
  afterEach(() => {
    if (given === undefined) delete process.env['LAUREL_TEST_SEED'];
    else process.env['LAUREL_TEST_SEED'] = given;
  });

  it('returns the same seed in each run, and other seeds for other names', () => {
    delete process.env['LAUREL_TEST_SEED'];
    expect(seedOf('a file', 'a test')).toBe(seedOf('a file', 'a test'));
    expect(new Set([seedOf('ab', 'c'), seedOf('a', 'bc'), seedOf('abc')]).size).toBe(3);
    expect(seedOf('a file', 'a test')).toBe(PINNED);
  });

  it('depends on LAUREL_TEST_SEED if it is set', () => {
    process.env['LAUREL_TEST_SEED'] = '7';
    expect(seedOf('a file', 'a test')).not.toBe(PINNED);
    process.env['LAUREL_TEST_SEED'] = '20261121';
    expect(seedOf('a file', 'a test')).toBe(PINNED);
  });

  it.each(['', '-1', '1.5', '0x10', '4294967296', '1e3', ' 1'])('refuses LAUREL_TEST_SEED="%s"', (text) => {
    expect(() => testSeed(text)).toThrow(`LAUREL_TEST_SEED must be a whole number from 0 to 4294967295, got "${text}"`);
  });
});

const PINNED = -1_418_385_750;
