import { plainText } from './plain-text.ts';
import { HARMFUL_TEXTS } from './testing/harmful-texts.ts';

describe('plainText', () => {
  it.each(HARMFUL_TEXTS)('escapes %s', (_, text) => {
    expect(plainText(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/u);
  });

  it('leaves other text unchanged and truncates long text', () => {
    expect(plainText('Grüße, 世界 🌿 "\\')).toBe('Grüße, 世界 🌿 "\\');
    expect(plainText('x'.repeat(1_000), 10)).toBe('xxxxxxxxxx…');
  });
});
