import { AREAS, type AnswerParts, type RecordedUserEvent } from '@laurel/kernel';
import { ManualClock } from '@laurel/testing/clock';
import { subjectOf } from '@laurel/testing/subjects';
import { appliedOutcomes, type AppliedOutcomesDependencies } from './applied-outcomes.ts';

const ANSWER: AnswerParts = { users: { total: 7n } as AnswerParts['users'] & {} };
const record = (user: string, position: number) =>
  ({ account: 'default', eventId: `e${position}`, position, fact: { subject: subjectOf(user) } }) as RecordedUserEvent;

function open(more: Partial<AppliedOutcomesDependencies> = {}) {
  const clock = new ManualClock();
  const asked: unknown[] = [];
  const failures: unknown[] = [];
  const dependencies: AppliedOutcomesDependencies = {
    // Users and streaks have come to 30, achievements to 20, points to 10.
    positions: { read: () => Promise.resolve({ isHalted: false, positions: [30, 20, 10], sentToBoards: new Map() }) },
    partitionOf: () => 0,
    storedAnswers: (account, applied) => {
      asked.push([account, ...applied.map(({ record: { position }, areas }) => [position, areas])]);
      return Promise.resolve(applied.map(() => ANSWER));
    },
    clock,
    onFailure: (error) => failures.push(error),
    ...more,
  };
  return {
    clock,
    asked,
    failures,
    find: (...records: RecordedUserEvent[]) => appliedOutcomes(dependencies, records, 500),
  };
}

describe('the stored outcomes of events whose effects did not arrive', () => {
  it('name the areas that have not applied an event, and contain the others', async () => {
    const { asked, clock, find } = open();
    const found = await find(record('ann', 10), record('ann', 20), record('bob', 30), record('bob', 31));
    expect([...found].map(([eventId, { pending }]) => [eventId, pending])).toEqual([
      ['e10', ['leaderboards']],
      ['e20', ['points', 'leaderboards']],
      ['e30', ['achievements', 'points', 'leaderboards']],
    ]);
    expect(found.get('e30')).toEqual({ eventId: 'e30', sections: ANSWER, pending: AREAS.slice(2) });
    expect(asked).toEqual([['default', [10, AREAS.slice(0, 4)], [20, AREAS.slice(0, 3)], [30, AREAS.slice(0, 2)]]]);
    expect(clock.timers).toBe(0);
  });

  it('are empty when they cannot be read, or not within the limit', async () => {
    const error = new Error('the database cannot be reached');
    const failing = open({ storedAnswers: () => Promise.reject(error) });
    expect(await failing.find(record('ann', 10))).toEqual(new Map());
    expect(failing.failures).toEqual([error]);

    const hanging = open({ positions: { read: () => new Promise(() => undefined) } });
    const found = hanging.find(record('ann', 10));
    await hanging.clock.advance(500);
    expect(await found).toEqual(new Map());
  });
});
