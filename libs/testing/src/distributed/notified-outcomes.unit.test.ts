import { comparableOutcomes } from './notified-outcomes.ts';

const CREATED = '2026-03-01T10:00:00.000Z';
const outcome = (timestamp: string, user: object | undefined, rest: object = {}) =>
  JSON.stringify({ type: 'points.changed', timestamp, user, ...rest });
const ada = (updated: string, tz: string) => ({ id: 'ada', tz, created: CREATED, updated });

describe('the outcomes of two topologies', () => {
  it('have all fields of a user in common who has never changed', () => {
    const [one, other] = ['UTC', 'Asia/Tokyo'].map((tz) => [outcome(CREATED, ada(CREATED, tz))]) as [
      string[],
      string[],
    ];
    const compared = comparableOutcomes(one, other);
    expect(compared.withUser).toBe(1);
    expect(compared.one).not.toEqual(compared.other);
  });

  it('have only the user id in common before the last change, whichever reader has seen it', () => {
    const changed = ada('2026-03-01T10:00:05.000Z', 'Asia/Tokyo');
    const before = '2026-03-01T10:00:04.000Z';
    const after = '2026-03-01T10:00:06.000Z';
    const one = [outcome(before, ada(CREATED, 'UTC')), outcome(after, changed)];
    const other = [outcome(before, changed), outcome(after, changed)];
    const compared = comparableOutcomes(one, other);
    expect(compared.withUser).toBe(1);
    expect(compared.one).toEqual(compared.other);
    expect(compared.one.map(({ user }) => user)).toEqual(['ada', changed]);
  });

  const recap = { periodStart: '2026-02-22', totals: { words: 3 } };
  const told = (sequence: number) =>
    outcome(CREATED, ada(CREATED, 'UTC'), {
      type: 'emails.recap_due',
      sequence,
      recap: { ...recap, points: { xp: sequence }, streakLength: sequence },
    });

  it('have no sequences in common, and the fields of a recap besides the week only if nothing has changed since', () => {
    const later = outcome(CREATED, ada(CREATED, 'UTC'));
    const compared = comparableOutcomes([told(1), later], [told(2), later]);
    expect(compared.one.map(({ recap: { streakLength: _, ...rest } = {} as never }) => rest)).toEqual([recap, {}]);
    expect(compared.withPoints).toBe(0);
  });

  it('have the points and the streak of an unchanged recap in common', () => {
    const compared = comparableOutcomes([told(1)], [told(2)]);
    expect([compared.one[0]?.recap, compared.other[0]?.recap]).toEqual([
      { ...recap, points: { xp: 1 }, streakLength: 1 },
      { ...recap, points: { xp: 2 }, streakLength: 2 },
    ]);
    expect(compared.withPoints).toBe(1);
  });
});
