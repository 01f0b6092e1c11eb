import { jsonFault } from './json-fault.ts';

describe('jsonFault', () => {
  it.each([
    ['{"a": 1,}', 1, 9, 'a field name in double quotes', '}'],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, ', or }', '"'],
    ['{"value": undefined}', 1, 11, 'a value', 'undefined'],
    ["{'a': 1}", 1, 2, 'a field name in double quotes, or }', "'"],
    ['{a: 1}', 1, 2, 'a field name in double quotes, or }', 'a'],
    ['{"a" 1}', 1, 6, ': behind the field name', '1'],
    ['[1, 2', 1, 6, ', or ]', 'the end of the body'],
    ['[01]', 1, 3, 'the end of the value', '1'],
    ['{"a": "x\ny"}', 1, 9, 'the end of the text in double quotes', 'a line break'],
    ['"\\q"', 1, 2, 'an escape such as \\" or \\u0041', '\\'],
    ['{} {}', 1, 4, 'nothing behind the value', '{'],
    ['\u0000', 1, 1, 'a value', 'U+0000'],
    ['   ', 1, 4, 'a value', 'the end of the body'],
  ])('describes what is wrong with %j', (text, line, column, expected, found) => {
    expect(jsonFault(text)).toEqual({ line, column, expected, found });
  });
});
