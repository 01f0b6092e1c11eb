import { plainText } from './plain-text.ts';

describe('text from outside on a terminal', () => {
  it.each([
    ['a link (OSC 8)', '\u001b]8;;http://x\u0007click\u001b]8;;\u0007'],
    ['the clipboard (OSC 52)', '\u001b]52;c;AAAA\u0007'],
    ['colours and cursor movements (CSI)', '\u001b[2J\u009b31m'],
    ['text that turns around (BiDi)', 'abc\u202etxt.exe\u2066'],
    ['lines of its own', 'one\ntwo\r\u2028three'],
    ['half a character', '\ud800'],
  ])('cannot be %s', (_, text) => {
    expect(plainText(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
  });

  it('is otherwise left as it is, and cut', () => {
    expect(plainText('Grüße, 世界 🌿 "\\')).toBe('Grüße, 世界 🌿 "\\');
    expect(plainText('x'.repeat(1_000), 10)).toBe('xxxxxxxxxx…');
  });
});
