/**
 * The same JSON with every character escaped that could control a terminal: control, format, private and half
 * characters. JSON has these only in strings, so its value does not change.
 */
export const plainJson = (json: string): string => json.replace(HARMFUL, escaped);

// Newlines and tabs between the tokens of indented JSON are harmless.
const HARMFUL = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;

const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => codeUnit(character.charCodeAt(index))).join('');

const codeUnit = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

/** The output of `--json`: the service's answer on one line. */
export const jsonLine = (answer: unknown): string => `${plainJson(JSON.stringify(answer))}\n`;
