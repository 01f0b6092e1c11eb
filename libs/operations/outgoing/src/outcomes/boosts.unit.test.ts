import { OUTCOME_TYPES, type Boost, type BoostEvent, type Configuration, type Effect } from '@laurel/kernel';
import { candidatesOfAccount, candidatesOfUser } from './candidates.ts';
import type { UserSourceEvent } from './source-event.ts';

const at = (text: string) => Date.parse(text);
const BOOST: Boost = {
  ...{ id: 'id-of-weekend', name: 'Weekend', multiplier: 150, rounding: 'nearest' },
  ...{ start: at('2026-03-07T00:00:00Z'), end: at('2026-03-09T00:00:00Z') },
};
const SYSTEM = {
  ...{ id: 'id-of-xp', key: 'xp', name: 'Experience' },
  boosts: [{ ...BOOST, key: 'weekend' }],
  removedBoosts: [{ ...BOOST, key: 'gone', name: 'Gone' }],
};
const configuration = { pointsSystemByKey: new Map([['xp', SYSTEM]]) } as unknown as Configuration;
const ALL = new Set(OUTCOME_TYPES);

const recorded = (fact: BoostEvent) =>
  candidatesOfAccount(
    {
      ...{ configuration, finalRuns: [], run: null },
      record: {
        ...{ eventId: 'e', account: 'default', configurationVersion: 1, position: 5, fact },
        ...{ occurredAt: at('2026-03-09T00:00:00Z'), recordedAt: at('2026-03-09T00:00:10Z') },
      },
    },
    ALL,
  );

const caused = (effect: Effect, dueFrom = -Infinity) =>
  candidatesOfUser(
    {
      ...{ configuration, userId: 'ada', effects: [effect], dueFrom },
      record: { fact: { type: 'UserIdentified' } },
    } as unknown as UserSourceEvent,
    ALL,
  );

const SHOWN = {
  ...{ id: 'id-of-weekend', name: 'Weekend', multiplier: 1.5, rounding: 'nearest' },
  ...{ start: '2026-03-07T00:00:00.000Z', end: '2026-03-09T00:00:00.000Z' },
  ...{ pointsSystemId: 'id-of-xp', pointsSystemKey: 'xp', pointsSystemName: 'Experience' },
};

describe('a boost of a points system', () => {
  it('makes an outcome of no user when it begins and when it ends', () => {
    expect(recorded({ type: 'BoostStarted', system: 'xp', boost: 'weekend' })).toMatchObject([
      { type: 'points.boost_started', user: null, fields: { boost: { ...SHOWN, status: 'active', userId: null } } },
    ]);
    expect(recorded({ type: 'BoostFinished', system: 'xp', boost: 'weekend' })).toMatchObject([
      { type: 'points.boost_finished', user: null, fields: { boost: { ...SHOWN, status: 'finished', userId: null } } },
    ]);
  });

  it('makes one when a publication has removed it, and none if the version does not know it', () => {
    expect(recorded({ type: 'BoostFinished', system: 'xp', boost: 'gone' })).toMatchObject([
      { fields: { boost: { name: 'Gone' } } },
    ]);
    expect(recorded({ type: 'BoostFinished', system: 'xp', boost: 'other' })).toEqual([]);
    expect(recorded({ type: 'BoostFinished', system: 'other', boost: 'weekend' })).toEqual([]);
  });
});

describe('a boost of one user', () => {
  const end = BOOST.end ?? 0;
  const ended: Effect = { type: 'BoostEnded', system: 'xp', boost: BOOST, at: end, due: true };

  it('makes outcomes that name the user', () => {
    expect(caused({ type: 'BoostGiven', system: 'xp', boost: BOOST, at: BOOST.start })).toMatchObject([
      {
        type: 'points.boost_started',
        at: BOOST.start,
        fields: { boost: { ...SHOWN, status: 'active', userId: 'ada' } },
      },
    ]);
    expect(caused(ended)).toMatchObject([
      { type: 'points.boost_finished', at: end, fields: { boost: { ...SHOWN, status: 'finished', userId: 'ada' } } },
    ]);
  });

  it('makes none of an end that fell due before outcomes are made', () => {
    expect(caused(ended, end + 1)).toEqual([]);
    expect(caused(ended, end)).toHaveLength(1);
  });
});
