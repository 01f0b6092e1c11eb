import { dayAt, formatDay } from '@laurel/calendar';
import { compileHistory } from '@laurel/configuration';
import { EffectList, effectsOfType } from '@laurel/kernel';
import { identification, sweep, type Happened } from '@laurel/kernel/fixtures';
import { pointsRules } from './index.ts';

const HOUR = 3_600_000;
const BEGINNING = Date.parse('2026-03-01T00:00:00Z');

const GIVES = { type: 'time', unit: 'hour', interval: 1, points: 9 };
const TAKES = { type: 'time', unit: 'hour', interval: 1, points: -9 };

const documentOf = (triggers: readonly object[]) => ({
  version: 1,
  metrics: [{ key: 'steps', name: 'Steps' }],
  points: [{ key: 'energy', name: 'Energy', maxPoints: 9, triggers }],
});

/**
 * What a user who was created at the beginning is given by half past ten, when the second version is half an hour old.
 * @param isSwept whether what is due by ten is given under the first; it is not while an import is open
 */
function awarded(versions: readonly (readonly object[])[], isSwept: boolean): readonly string[] {
  const publications = versions.map((triggers, place) => ({
    version: place + 1,
    document: documentOf(triggers),
    publishedAt: place === 0 ? BEGINNING - HOUR : BEGINNING + 10 * HOUR + 1,
  }));
  const history = compileHistory('default', publications);
  const awards: string[] = [];
  let stored: unknown = null;
  const tell = (version: number, happened: Happened, at: number) => {
    const plan = pointsRules.compile(history.at(version));
    const state = stored === null ? pointsRules.initial(plan) : pointsRules.decode(stored, plan);
    const user = { createdAt: BEGINNING, zone: 'UTC', previousZone: 'UTC', day: dayAt(at, 'UTC'), total: null };
    const stamp = { account: 'default', subject: 1, position: 1, eventId: 'e1' };
    const out = new EffectList({ occurredAt: at, recordedAt: at, user }, history.at(version));
    pointsRules.apply(state, { ...stamp, occurredAt: at, recordedAt: at, ...happened, user }, plan, out);
    for (const { at: due, day, awarded: given } of effectsOfType(out.effects, 'PointsAwarded'))
      awards.push(`${(due - BEGINNING) / HOUR} h, ${formatDay(day)}: ${given}`);
    stored = JSON.parse(JSON.stringify(pointsRules.encode(state, plan)));
  };
  tell(1, identification(), BEGINNING);
  if (isSwept) tell(1, sweep(), BEGINNING + 10 * HOUR);
  tell(2, identification(), BEGINNING + 10.5 * HOUR);
  return awards;
}

describe('time awards due before a publication', () => {
  it.each([
    ['reordering', [GIVES, TAKES], [TAKES, GIVES]],
    ['reverse reordering', [TAKES, GIVES], [GIVES, TAKES]],
    ['removal', [TAKES, GIVES], [GIVES]],
  ])('are not changed by %s of triggers, whether or not a sweep has recorded them', (_, before, after) => {
    const swept = awarded([before, after], true);
    expect(swept.length).toBeGreaterThan(0);
    expect(awarded([before, after], false)).toEqual(swept);
  });
});
