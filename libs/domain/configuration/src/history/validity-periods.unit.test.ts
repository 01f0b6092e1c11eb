import type { TimeTriggerValidity } from '@laurel/kernel';
import { parseDocument } from '../document/parse-document.ts';
import { compileHistory } from './compile-history.ts';

const HOURLY = '{ type: time, unit: hour, interval: 1, points: 1 }';
const DAILY = '{ type: time, unit: day, interval: 1, points: 5 }';

interface Version {
  readonly at: string;
  /** null: the version does not have the points system. */
  readonly triggers: string | null;
  readonly maxPoints?: number;
}

function spansAfter(...versions: readonly Version[]): string[] {
  const publications = versions.map(({ at, triggers, maxPoints = null }, index) => {
    const points =
      triggers === null ? '[]' : `[{ key: xp, name: XP, maxPoints: ${maxPoints}, triggers: [${triggers}] }]`;
    const text = `version: 1\nmetrics: [{ key: runs, name: Runs }]\npoints: ${points}`;
    const { document } = parseDocument(text, 'app.yaml');
    return { version: index + 1, document, publishedAt: Date.parse(at) };
  });
  const { current } = compileHistory('default', publications);
  return (current.pointsSystemByKey.get('xp')?.validityPeriods ?? []).map(describePeriod);
}

function describePeriod({ trigger, maxPoints, from, until }: TimeTriggerValidity): string {
  return `${trigger.points} per ${trigger.interval} ${trigger.unit} to ${maxPoints}: ${day(from)} … ${day(until)}`;
}

function day(instant: number): string {
  return Number.isFinite(instant) ? new Date(instant).toISOString().slice(0, 10) : String(instant);
}

describe('the validity periods of time triggers', () => {
  it('begin with the event store for triggers of the first version', () => {
    expect(spansAfter({ at: '2026-01-01', triggers: HOURLY })).toEqual(['1 per 1 hour to null: -Infinity … Infinity']);
  });

  it('begin at activeFrom if that is later than the publication', () => {
    const late = '{ type: time, unit: hour, interval: 1, points: 1, activeFrom: 2026-02-01T00:00:00Z }';
    const early = '{ type: time, unit: day, interval: 1, points: 5, activeFrom: 2020-01-01T00:00:00Z }';
    expect(spansAfter({ at: '2026-01-01', triggers: '' }, { at: '2026-01-05', triggers: `${late}, ${early}` })).toEqual(
      ['5 per 1 day to null: 2026-01-05 … Infinity', '1 per 1 hour to null: 2026-02-01 … Infinity'],
    );
  });

  it('end at activeUntil, or at a publication before it', () => {
    const until = (text: string) => HOURLY.replace(' }', `, activeUntil: ${text}T00:00:00Z }`);
    const first = { at: '2026-01-01', triggers: until('2026-01-20') };
    expect(spansAfter(first)).toEqual(['1 per 1 hour to null: -Infinity … 2026-01-20']);
    expect(spansAfter(first, { at: '2026-01-05', triggers: '' })).toEqual([
      '1 per 1 hour to null: -Infinity … 2026-01-05',
    ]);
    expect(spansAfter(first, { at: '2026-02-05', triggers: first.triggers })).toEqual([
      '1 per 1 hour to null: -Infinity … 2026-01-20',
    ]);
  });

  it('are moved by a version with another activeUntil, without a gap unless the former has passed', () => {
    const until = (text: string) => HOURLY.replace(' }', `, activeUntil: ${text}T00:00:00Z }`);
    const first = { at: '2026-01-01', triggers: until('2026-01-20') };
    expect(spansAfter(first, { at: '2026-01-05', triggers: until('2026-03-01') })).toEqual([
      '1 per 1 hour to null: -Infinity … 2026-03-01',
    ]);
    expect(spansAfter(first, { at: '2026-02-05', triggers: HOURLY })).toEqual([
      '1 per 1 hour to null: -Infinity … 2026-01-20',
      '1 per 1 hour to null: 2026-02-05 … Infinity',
    ]);
    expect(spansAfter(first, { at: '2026-02-05', triggers: until('2026-02-01') })).toEqual([
      '1 per 1 hour to null: -Infinity … 2026-01-20',
    ]);
  });

  it('continue over versions that do not change the trigger', () => {
    expect(
      spansAfter(
        { at: '2026-01-01', triggers: HOURLY, maxPoints: 9 },
        { at: '2026-01-05', triggers: `${HOURLY}, ${DAILY}`, maxPoints: 9 },
        { at: '2026-01-09', triggers: `${HOURLY}, ${DAILY}`, maxPoints: 9 },
      ),
    ).toEqual(['1 per 1 hour to 9: -Infinity … Infinity', '5 per 1 day to 9: 2026-01-05 … Infinity']);
  });

  it('continue if a trigger before it is removed or one is added after it', () => {
    expect(
      spansAfter(
        { at: '2026-01-01', triggers: `${HOURLY}, ${DAILY}` },
        { at: '2026-01-05', triggers: DAILY },
        { at: '2026-01-09', triggers: `${DAILY}, ${HOURLY}` },
      ),
    ).toEqual([
      '5 per 1 day to null: -Infinity … Infinity',
      '1 per 1 hour to null: -Infinity … 2026-01-05',
      '1 per 1 hour to null: 2026-01-09 … Infinity',
    ]);
  });

  it('are split if a trigger moves behind another, so that earlier due awards keep their order', () => {
    expect(
      spansAfter(
        { at: '2026-01-01', triggers: `${HOURLY}, ${DAILY}` },
        { at: '2026-01-05', triggers: `${DAILY}, ${HOURLY}` },
      ),
    ).toEqual([
      '5 per 1 day to null: -Infinity … Infinity',
      '1 per 1 hour to null: -Infinity … 2026-01-05',
      '1 per 1 hour to null: 2026-01-05 … Infinity',
    ]);
  });

  it('end when a version removes the trigger, and begin again when a version restores it', () => {
    expect(
      spansAfter(
        { at: '2026-01-01', triggers: HOURLY },
        { at: '2026-01-05', triggers: '' },
        { at: '2026-01-09', triggers: HOURLY },
      ),
    ).toEqual(['1 per 1 hour to null: -Infinity … 2026-01-05', '1 per 1 hour to null: 2026-01-09 … Infinity']);
  });

  it('end when a version removes the points system', () => {
    expect(
      spansAfter(
        { at: '2026-01-01', triggers: HOURLY },
        { at: '2026-01-05', triggers: null },
        { at: '2026-01-07', triggers: null },
        { at: '2026-01-09', triggers: DAILY },
      ),
    ).toEqual(['1 per 1 hour to null: -Infinity … 2026-01-05', '5 per 1 day to null: 2026-01-09 … Infinity']);
  });

  it('are split if the maximum of the points system changes', () => {
    expect(
      spansAfter(
        { at: '2026-01-01', triggers: HOURLY, maxPoints: 9 },
        { at: '2026-01-05', triggers: HOURLY, maxPoints: 20 },
      ),
    ).toEqual(['1 per 1 hour to 9: -Infinity … 2026-01-05', '1 per 1 hour to 20: 2026-01-05 … Infinity']);
  });

  it('are split if the content of a trigger changes under the same key', () => {
    expect(
      spansAfter(
        { at: '2026-01-01', triggers: '{ key: k, type: time, unit: hour, interval: 1, points: 1 }' },
        { at: '2026-01-05', triggers: '{ key: k, type: time, unit: hour, interval: 2, points: 1 }' },
      ),
    ).toEqual(['1 per 1 hour to null: -Infinity … 2026-01-05', '1 per 2 hour to null: 2026-01-05 … Infinity']);
  });

  it('leave a gap up to a later activeFrom', () => {
    expect(
      spansAfter(
        { at: '2026-01-01', triggers: '{ key: k, type: time, unit: hour, interval: 1, points: 1 }' },
        {
          at: '2026-01-05',
          triggers: '{ key: k, type: time, unit: hour, interval: 1, points: 1, activeFrom: 2026-01-07T00:00:00Z }',
        },
      ),
    ).toEqual(['1 per 1 hour to null: -Infinity … 2026-01-05', '1 per 1 hour to null: 2026-01-07 … Infinity']);
  });

  it('do not exist if the trigger was removed before its activeFrom', () => {
    const future = '{ type: time, unit: hour, interval: 1, points: 1, activeFrom: 2027-01-01T00:00:00Z }';
    expect(spansAfter({ at: '2026-01-01', triggers: future }, { at: '2026-01-05', triggers: '' })).toEqual([]);
  });

  it('are in configuration order if they begin together', () => {
    const order = (...triggers: string[]) => spansAfter({ at: '2026-01-01', triggers: triggers.join(', ') });
    expect(order(HOURLY, DAILY)).toEqual(order(DAILY, HOURLY).toReversed());
    expect(order(DAILY, HOURLY)[0]).toContain('day');
  });

  it('do not overlap if the clock went back between two publications', () => {
    expect(
      spansAfter(
        { at: '2026-01-01', triggers: HOURLY },
        { at: '2026-01-09', triggers: '' },
        { at: '2026-01-05', triggers: HOURLY },
      ),
    ).toEqual(['1 per 1 hour to null: -Infinity … Infinity']);
  });
});
