import { OUTCOME_TYPES, type OutcomeType } from '@laurel/kernel';
import { redactFor } from './redact.ts';

const head = (type: OutcomeType) => ({ id: 'the outcome', type, timestamp: '2026-03-02T20:00:00.000Z', sequence: 7 });
const RUN = { key: 'weekly', name: 'This week', runStart: '2026-03-02', runEnd: '2026-03-08' };
const ranking = (userId: string, rank: number) => ({ userId, userName: `${userId}’s name`, rank, value: 10 - rank });

const redacted = (body: object): object => redactFor('ada', JSON.stringify(body));

describe('an outcome redacted for one user', () => {
  it('is unchanged, digit by digit, if it names nobody else', () => {
    const body =
      '{"id":"1","type":"points.changed","sequence":1,"user":{"id":"ada"},"points":{"added":12345678901234567890}}';
    expect(redactFor('ada', body)).toMatchObject({ points: { added: { digits: '12345678901234567890' } } });
    const types = OUTCOME_TYPES.filter((type) => !type.startsWith('leaderboard.') || type.endsWith('rank_changed'));
    for (const type of types) {
      const whole = { ...head(type), user: { id: 'ada', name: 'Ada' } };
      expect(redacted(whole)).toEqual(whole);
    }
  });

  it.each(['leaderboard.started', 'leaderboard.finished', 'leaderboard.changed'] as const)(
    "keeps only the user's own row of rankings: %s",
    (type) => {
      const rankings = [ranking('bob', 1), ranking('ada', 2), ranking('', 3)];
      const leaderboard = { ...RUN, rankings };
      expect(redacted({ ...head(type), leaderboard })).toEqual({
        ...head(type),
        leaderboard: { ...RUN, rankings: [ranking('ada', 2)] },
      });
    },
  );

  it('shows which rank the user lost, but not to whom', () => {
    const body = { ...head('leaderboard.rank_lost'), user: { id: 'ada', name: 'Ada' }, rank: 2, previousRank: 1 };
    expect(redacted({ ...body, leaderboard: { ...RUN, rank: 2, value: 5 }, by: 'bob' })).toEqual({
      ...body,
      leaderboard: { ...RUN, rank: 2, value: 5 },
      by: null,
    });
  });

  it('shows that the user overtook somebody, but not whom', () => {
    const body = { ...head('leaderboard.rank_lost'), user: { id: 'bob', name: 'Bob' }, rank: 2, previousRank: 1 };
    expect(redacted({ ...body, leaderboard: { ...RUN, rank: 2, value: 5 }, by: 'ada' })).toEqual({
      ...head('leaderboard.rank_lost'),
      leaderboard: RUN,
      by: 'ada',
    });
  });
});
