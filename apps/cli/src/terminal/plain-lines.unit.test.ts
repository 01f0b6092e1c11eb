import { HARMFUL_TEXTS, HARMLESS } from '../testing/harmful-texts.ts';
import { plainLines } from './plain-lines.ts';

describe('plainLines', () => {
  it('keeps line ends and drops carriage returns before them', () => {
    expect(plainLines('a,b\r\n1,"2 ""x"""\r\n')).toBe('a,b\n1,"2 ""x"""\n');
  });

  it.each(HARMFUL_TEXTS)('escapes control characters: %s', (_, text) => {
    expect(plainLines(`a,${text}\r\n`)).toMatch(HARMLESS);
  });
});
