import { firstDifference, shownValue } from './differences.ts';

describe('firstDifference', () => {
  it.each([
    [1, 1, null],
    [1, 2, { path: '', stored: 1, expected: 2 }],
    [[1, 2], [1, 2], null],
    [[1, 2], [1], { path: '[1]', stored: 2, expected: undefined }],
    [{ a: [{ b: 'x' }] }, { a: [{ b: 'y' }] }, { path: '.a[0].b', stored: 'x', expected: 'y' }],
    [{ a: 1 }, { a: 1, b: null }, { path: '.b', stored: undefined, expected: null }],
    [{ a: 1 }, [1], { path: '', stored: { a: 1 }, expected: [1] }],
    [null, {}, { path: '', stored: null, expected: {} }],
  ])('returns the path and the values: %j and %j', (stored, expected, difference) => {
    expect(firstDifference(stored, expected)).toEqual(difference);
  });

  it('is shown as text by shownValue', () => {
    expect([shownValue('x'), shownValue(4), shownValue(null), shownValue([1]), shownValue(undefined)]).toEqual([
      ...['x', '4', 'null', '[1]', null],
    ]);
  });
});
