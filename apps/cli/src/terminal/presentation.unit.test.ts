import { Writable } from 'node:stream';
import fc from 'fast-check';
import type { TextStream } from '../command-context.ts';
import { HARMFUL_TEXTS, HARMLESS } from '../testing/harmful-texts.ts';
import { jsonLine, plainJson } from './plain-json.ts';
import { duration, showProgress } from './progress.ts';
import { table } from './table.ts';

describe('a table', () => {
  it('aligns columns by characters, not by bytes', () => {
    expect(
      table(
        ['key', 'name'],
        [
          ['a', 'Ada'],
          ['世界', ''],
          ['🌿', 'x'],
        ],
      ),
    ).toEqual(['key  name', 'a    Ada', '世界', '🌿    x']);
  });

  it('truncates a long cell', () => {
    expect(table(['name', 'n'], [['x'.repeat(100), '1']])[1]).toBe(`${'x'.repeat(60)}…  1`);
  });

  it.each(HARMFUL_TEXTS)('has one line per row and escapes control characters: %s', (_, text) => {
    const lines = table(
      ['name', 'n'],
      [
        [text, '1'],
        ['x', text],
      ],
    );
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(line).toMatch(/^[^\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]*$/u);
  });
});

describe('JSON for a terminal', () => {
  it.each(HARMFUL_TEXTS)('keeps its value and escapes control characters: %s', (_, text) => {
    const json = jsonLine({ [text]: text });
    expect(json).toMatch(HARMLESS);
    expect(json.split('\n')).toHaveLength(2);
    expect(JSON.parse(json)).toEqual({ [text]: text });
  });

  it('keeps every value, with or without indentation', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), fc.constantFrom(0, 2, '\t'), (value, indent) => {
        const json = JSON.stringify(value, null, indent);
        expect(plainJson(json).replaceAll('\t', '')).toMatch(HARMLESS);
        expect(JSON.parse(plainJson(json))).toEqual(JSON.parse(json));
      }),
    );
  });
});

describe('the progress display', () => {
  const shown = (isTTY: boolean) => {
    let text = '';
    let nowMs = 0;
    const stream = new Writable({ write: (chunk, _, done) => done(void (text += String(chunk))) });
    const terminal = Object.assign(stream, { isTTY, columns: 80, cursorTo: () => true }) as unknown as TextStream;
    const clock = { now: () => 0, elapsedMs: () => nowMs, after: () => () => undefined };
    return { progress: showProgress(terminal, clock), pass: (ms: number) => (nowMs += ms), text: () => text };
  };

  it('prints a plain line every two seconds without a terminal', () => {
    const { progress, pass, text } = shown(false);
    for (let tenth = 1; tenth <= 50; tenth++) {
      pass(100);
      progress.update(tenth / 50, `${tenth} of 50`);
    }
    progress.stop();
    expect(text()).toBe('40%: 20 of 50\n80%: 40 of 50\n');
  });

  it('shows a bar without colours on a terminal', () => {
    const { progress, text } = shown(true);
    progress.update(0.5, 'half');
    progress.stop();
    expect(text()).toMatch(/50% \| half/);
    // eslint-disable-next-line no-control-regex -- what colours are made of
    expect(text()).not.toMatch(/\u001b\[[0-9;]*m/);
  });

  it('formats durations in minutes and seconds', () => {
    expect([duration(499), duration(42_000), duration(185_000)]).toEqual(['0s', '42s', '3m 5s']);
  });
});
