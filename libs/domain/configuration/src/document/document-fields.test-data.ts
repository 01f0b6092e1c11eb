import { parseDocument } from './parse-document.ts';

/** Parts of a small valid document, one line or more each. */
const BASE: Readonly<Record<string, string>> = {
  version: 'version: 1',
  metrics: 'metrics: [{ key: reads, name: Reads }]',
  streak: '',
  achievements: 'achievements: [{ key: first, name: First, trigger: { type: api } }]',
  points: 'points: [{ key: xp, name: XP, triggers: [] }]',
  leaderboards: '',
};

/** The small document, with these parts replaced. */
export function documentWith(parts: Readonly<Record<string, string>>): string {
  const used = new Map([...Object.entries(BASE), ...Object.entries(parts)]);
  return [...used.values()].filter((part) => part !== '').join('\n');
}

/** The text without the mark `«`, and the line and column of the mark. */
export function marked(text: string): { readonly text: string; readonly line: number; readonly column: number } {
  const before = text.slice(0, text.indexOf('«'));
  const lines = before.split('\n');
  return { text: text.replace('«', ''), line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** A part of the document that replaces a part of the base. `«` marks the place that a problem must point to. */
export type Part = Readonly<Record<string, string>>;

export function problemsOf(part: Part) {
  const { text, line, column } = marked(documentWith(part));
  return { problems: parseDocument(text, 'app.yaml').problems ?? [], line, column };
}

export function pointsTrigger(trigger: string): Part {
  return { points: `points:\n  - { key: xp, name: XP, triggers: [${trigger}] }` };
}

export function pointsField(field: string): Part {
  return { points: `points:\n  - { key: xp, name: XP, triggers: [], ${field} }` };
}

export function level(fields: string): Part {
  return pointsField(`levels: [{ key: one, name: One, ${fields} }]`);
}

export function boost(fields: string): Part {
  return pointsField(`boosts: [{ key: a, name: A, ${fields} }]`);
}

export function achievement(fields: string): Part {
  return { achievements: `achievements:\n  - { key: a, name: A, ${fields} }` };
}

export function board(fields: string): Part {
  return { leaderboards: `leaderboards:\n  - { key: top, name: Top, ${fields} }` };
}

export function streak(fields: string): Part {
  return { streak: `streak: { frequency: daily, conditions: [{ metric: reads, threshold: 1 }], ${fields} }` };
}

export const byMetric = 'rankBy: metric, metric: reads, start: 2024-01-01';
export const api = 'trigger: { type: api }';

interface Rows {
  readonly accepted: readonly (readonly [what: string, part: Part])[];
  /** The name of the case, the part, the path of its only problem, and a piece of the message. */
  readonly refused: readonly (readonly [what: string, part: Part, path: string, message: string])[];
}

/** Declares a test for each row: the document is accepted, or is refused with exactly one problem at its mark. */
export function acceptsAndRefuses(subject: string, { accepted, refused }: Rows): void {
  describe(subject, () => {
    it.each(accepted)('accepts %s', (_, part) => {
      expect(problemsOf(part).problems).toEqual([]);
    });

    it.each(refused)('refuses %s and reports where', (_, part, path, message) => {
      const { problems, line, column } = problemsOf(part);
      expect(problems).toEqual([{ file: 'app.yaml', line, column, path, message: expect.stringContaining(message) }]);
    });
  });
}
