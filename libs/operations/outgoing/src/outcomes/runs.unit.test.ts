import {
  OUTCOME_TYPES,
  type Configuration,
  type LeaderboardDefinition,
  type RecordedEvent,
  type RunEvent,
} from '@laurel/kernel';
import { composeOutcomes } from './compose-outcome.ts';
import { candidatesOfAccount } from './candidates.ts';
import type { RunStanding } from './source-event.ts';

const BOARD: LeaderboardDefinition = {
  id: 'b',
  key: 'weekly',
  name: 'Weekly',
  description: null,
  rankBy: { type: 'streak' },
  start: '2026-03-02',
  end: null,
  run: { unit: 'day', interval: 7 },
  maxParticipants: 1_000,
};
const CONFIGURATION = { leaderboardByKey: new Map([[BOARD.key, BOARD]]) } as unknown as Configuration;
const STANDING: RunStanding = {
  end: '2026-03-08',
  top: [
    { subject: 7, user: { id: 'ada', name: 'Ada' } as never, value: 3_000_000 },
    { subject: 8, user: null, value: 2_500_000 },
  ],
};

const recordOf = (fact: RunEvent, eventId = 'e', at = '2026-03-09T12:00:00Z'): RecordedEvent<RunEvent> => ({
  eventId,
  account: 'default',
  configurationVersion: 1,
  position: 5,
  fact,
  occurredAt: Date.parse(at),
  recordedAt: Date.parse(at) + 600_000,
});

const ENDED = { type: 'LeaderboardRunEnded', board: 'weekly', run: '2026-03-02' } as const;

const eventOf = (record: RecordedEvent<RunEvent>) => ({
  record,
  configuration: CONFIGURATION,
  finalRuns: [],
  run: STANDING,
});

const made = (record: RecordedEvent<RunEvent>) =>
  composeOutcomes({ record, place: 0, user: null }, candidatesOfAccount(eventOf(record), new Set(OUTCOME_TYPES)), 0);

describe('a leaderboard run that ended', () => {
  it('makes an outcome with its rankings that omits the names of erased users and names those still known', () => {
    const [outcome] = made(recordOf(ENDED));
    expect(outcome).toMatchObject({ type: 'leaderboard.finished', subject: null, others: [7] });
    expect(JSON.parse(outcome?.body ?? '')).toMatchObject({
      timestamp: '2026-03-09T12:00:00.000Z',
      leaderboard: {
        key: 'weekly',
        runStart: '2026-03-02',
        runEnd: '2026-03-08',
        rankings: [
          { userId: 'ada', userName: 'Ada', rank: 1, value: 3 },
          { userId: '', userName: null, rank: 2, value: 2.5 },
        ],
      },
    });
  });

  it('has the same outcome id whichever event makes it, and another id than other runs', () => {
    const idOf = (record: RecordedEvent<RunEvent>) => made(record)[0]?.id;
    const id = idOf(recordOf(ENDED));
    expect(idOf(recordOf(ENDED, 'another'))).toBe(id);
    const others = [
      recordOf({ ...ENDED, type: 'LeaderboardRunStarted' }),
      recordOf({ ...ENDED, run: '2026-03-09' }),
      recordOf(ENDED, 'e', '2026-03-16T12:00:00Z'),
    ];
    expect(new Set([id, ...others.map(idOf)]).size).toBe(4);
  });

  it('makes no outcome if the version has no such board', () => {
    expect(made(recordOf({ ...ENDED, board: 'gone' }))).toEqual([]);
  });
});
