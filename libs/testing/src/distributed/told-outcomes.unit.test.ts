import { comparableOutcomes } from './told-outcomes.ts';

const CREATED = '2026-03-01T10:00:00.000Z';
const outcome = (timestamp: string, user: object | undefined, rest: object = {}) =>
  JSON.stringify({ type: 'points.changed', timestamp, user, ...rest });
const ada = (updated: string, tz: string) => ({ id: 'ada', tz, created: CREATED, updated });

describe('what two topologies tell', () => {
  it('has the user with all fields in common if they have never changed', () => {
    const [one, other] = ['UTC', 'Asia/Tokyo'].map((tz) => [outcome(CREATED, ada(CREATED, tz))]) as [
      string[],
      string[],
    ];
    const compared = comparableOutcomes(one, other);
    expect(compared.withUser).toBe(1);
    expect(compared.one).not.toEqual(compared.other);
  });

  it('has only who it is in common before the last change, whichever reader has seen it', () => {
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

  it('has neither sequences nor what a recap tells beside the week in common', () => {
    const recap = { periodStart: '2026-02-22', totals: { words: 3 } };
    const [one, other] = [1, 2].map((sequence) => [
      outcome(CREATED, undefined, { sequence, recap: { ...recap, points: { xp: sequence }, streakLength: sequence } }),
    ]) as [string[], string[]];
    const compared = comparableOutcomes(one, other);
    expect(compared.one).toEqual(compared.other);
    expect(compared.one).toMatchObject([{ recap }]);
  });
});
