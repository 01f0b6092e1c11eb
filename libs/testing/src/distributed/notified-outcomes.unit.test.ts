import { comparableOutcomes } from './notified-outcomes.ts';

const CREATED = '2026-03-01T10:00:00.000Z';
const outcome = (timestamp: string, user: object | undefined, rest: object = {}) =>
  JSON.stringify({ type: 'points.changed', timestamp, user, ...rest });
const ada = (updated: string, tz: string) => ({ id: 'ada', tz, created: CREATED, updated });

describe('comparableOutcomes', () => {
  it('compares all fields of a user who has never changed', () => {
    const [one, other] = ['UTC', 'Asia/Tokyo'].map((tz) => [outcome(CREATED, ada(CREATED, tz))]) as [
      string[],
      string[],
    ];
    const compared = comparableOutcomes(one, other);
    expect(compared.withUser).toBe(1);
    expect(compared.one).not.toEqual(compared.other);
  });

  it("compares only the user id in outcomes from before the user's last change", () => {
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

  it('ignores sequences, and the points and streak of a recap that another outcome of the user follows', () => {
    const later = outcome(CREATED, ada(CREATED, 'UTC'));
    const compared = comparableOutcomes([told(1), later], [told(2), later]);
    expect(compared.one.map(({ recap: { streakLength: _, ...rest } = {} as never }) => rest)).toEqual([recap, {}]);
    expect(compared.withPoints).toBe(0);
  });

  it('compares the points and the streak of a recap if nothing has changed since', () => {
    const compared = comparableOutcomes([told(1)], [told(2)]);
    expect([compared.one[0]?.recap, compared.other[0]?.recap]).toEqual([
      { ...recap, points: { xp: 1 }, streakLength: 1 },
      { ...recap, points: { xp: 2 }, streakLength: 2 },
    ]);
    expect(compared.withPoints).toBe(1);
  });
});
