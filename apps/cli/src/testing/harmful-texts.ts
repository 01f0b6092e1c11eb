/** Names that people or attackers may choose: text that would control a terminal. */
export const HARMFUL_TEXTS: readonly (readonly [what: string, text: string])[] = [
  ['a link (OSC 8)', '\u001b]8;;http://x\u0007click\u001b]8;;\u0007'],
  ['the clipboard (OSC 52)', '\u001b]52;c;AAAA\u0007'],
  ['the title, ended by ST', '\u001b]0;title\u001b\\'],
  ['cursor movements (CSI)', '\u001b[2J\u001b[1;1H'],
  ['colours by one character (C1)', '\u009b31m'],
  ['a device string (DCS)', '\u0090q\u009c'],
  ['text that turns around (BiDi)', 'abc\u202etxt.exe\u2066'],
  ['a mark without width', 'ad\u200bmin\u2060\ufeff'],
  ['lines of its own', 'one\ntwo\r\u2028three\u2029four\u0085'],
  ['backspaces', 'no\b\byes\u007f'],
  ['a tab and a NUL', 'a\tb\u0000'],
  ['tag characters', 'a\u{e0041}\u{e007f}'],
  ['private characters', 'a\ue000\u{f0000}'],
  ['half a character', '\ud800x\udfff'],
];

/** Only printable characters, and newlines at line ends. */
export const HARMLESS = /^(?:[^\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]|\n)*$/u;
