import { leaderboardsPlanOf } from '@laurel/contributions';
import { occasionOf, type ChainMessage, type LeaderboardDefinition } from '@laurel/kernel';
import { configurationOf, metricBoard, pointsBoard, streakBoard } from '../testing/configuration.ts';
import { award, metricEvent, NOON, swept, whole } from '../testing/messages.ts';
import { causesIn } from './rank-change-origins.ts';

const LATER = NOON + 86_400_000;
const START = '2026-01-01';

function causes(message: ChainMessage, board: LeaderboardDefinition, ordinal: number, runStart = START) {
  const configuration = configurationOf([board]);
  const change = { board: board.key, runStart, ordinal };
  const found = causesIn(
    occasionOf(message.record, message.user, configuration),
    leaderboardsPlanOf(configuration),
    message.effects,
  )(change);
  return found && { due: found.due, awards: found.awards.map(({ awarded }) => awarded) };
}

/** The last user but one of a sweep. */
function inSweep(message: ChainMessage, place: number): ChainMessage {
  const { record } = message;
  return { ...message, record: { ...record, fact: { type: 'UserSwept', subject: record.fact.subject, place } } };
}

describe('causesIn', () => {
  const points = pointsBoard('xp', 'xp');
  const awards = [
    award('xp', 4n, { due: true }),
    award('energy', 5n),
    award('xp', 1n, { due: true }),
    award('xp', 7n),
    award('xp', -2n),
  ];
  const event = metricEvent({ position: 1, value: 1n, awards });

  it('returns one due award, or all awards of the event itself', () => {
    expect(causes(event, points, 0)).toEqual({ due: true, awards: [4] });
    expect(causes(event, points, 2)).toEqual({ due: true, awards: [1] });
    expect(causes(event, points, 4)).toEqual({ due: false, awards: [7, -2] });
  });

  it("finds a change in a sweep by the user's place in it", () => {
    const due = swept({ position: 1, awards: awards.slice(0, 3) });
    expect(causes(inSweep(due, 3), points, 30_002)).toEqual({ due: true, awards: [1] });
    expect(causes(inSweep(due, 3), points, 2)).toBeNull();
  });

  it('returns only awards in the run of the change', () => {
    const daily = pointsBoard('daily', 'xp', { run: { unit: 'day', interval: 1 } });
    const late = [award('xp', 4n), award('xp', 6n, { at: LATER })];
    const both = metricEvent({ position: 1, value: 1n, awards: late });
    expect(causes(both, daily, 0, '2026-01-10')).toEqual({ due: false, awards: [4] });
    expect(causes(both, daily, 1, '2026-01-11')).toEqual({ due: false, awards: [6] });
    expect(causes(both, daily, 1, '2026-01-10')).toBeNull();
  });

  it('returns no awards for boards ranked by a metric or by streak', () => {
    const streakChanges = [0, 3].map((length) => ({ at: NOON, length }));
    const all = metricEvent({ position: 1, value: whole(2), awards, streakChanges });
    expect(causes(all, metricBoard('all'), 0)).toEqual({ due: false, awards: [] });
    expect(causes(all, streakBoard('streak'), 0)).toEqual({ due: true, awards: [] });
    expect(causes(all, streakBoard('streak'), 1)).toEqual({ due: false, awards: [] });
  });
});
