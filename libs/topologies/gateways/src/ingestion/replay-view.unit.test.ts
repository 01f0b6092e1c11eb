import { AREAS, type Configuration, type RecordMetricEvent, type AnswerParts } from '@laurel/kernel';
import { subjectOf } from '@laurel/testing/subjects';
import { ManualClock } from '@laurel/testing/clock';
import { sampleConfiguration } from '@laurel/testing/http-modules';
import type { AppliedEvent, Viewed } from '../answers/index.ts';
import { viewReplay, type ReplayViewOptions } from './replay-view.ts';

const CONFIGURATION: Configuration = { ...sampleConfiguration('default'), version: 3 };
const COMMAND = {
  type: 'RecordMetricEvent',
  account: 'default',
  subject: subjectOf('ann'),
  metric: 'commits',
} as RecordMetricEvent;
const ORIGINAL = {
  account: 'default',
  subject: subjectOf('ann'),
  keyHash: 'hash of k',
  eventId: 'original',
  position: 5,
  occurredAt: Date.UTC(2026, 0, 9, 23),
};
const BOARDS = { source: 3, sent: new Map([[1, 40]]) };
const ANSWER = Object.fromEntries(AREAS.map((area) => [area, { of: area }])) as unknown as AnswerParts;

const { leaderboards: _boards, ...USER_ANSWER } = ANSWER;

function open(applied: AppliedEvent, viewed: Viewed = { sections: ANSWER, pending: [] }) {
  const clock = new ManualClock();
  const order: unknown[] = [];
  const options: ReplayViewOptions = {
    applied: async (place, limitMs) => {
      order.push(['wait', place, limitMs]);
      await clock.advance(1_000);
      return applied;
    },
    users: { zonesAt: (places) => Promise.resolve((order.push(['zones', ...places]), ['Asia/Tokyo'])) },
    answers: {
      view: (request, version, boardsAfter, limitMs) => {
        order.push(['view', request, version, boardsAfter, limitMs]);
        return Promise.resolve(viewed);
      },
    },
    viewUser: () => Promise.resolve(USER_ANSWER),
    clock,
    answerLimitMs: 10_000,
  };
  return { order, view: () => viewReplay(options, COMMAND, ORIGINAL, CONFIGURATION) };
}

describe('the view of a replay', () => {
  it('is read once the original is applied, for the date of the original in its own time zone', async () => {
    const { order, view } = open({ pending: [], boards: BOARDS });
    expect(await view()).toEqual({ sections: ANSWER, pending: [] });
    const place = { account: 'default', subject: subjectOf('ann'), position: 5 };
    const request = {
      account: 'default',
      subject: subjectOf('ann'),
      metric: 'commits',
      at: 1_000,
      originalDate: '2026-01-10',
    };
    expect(order).toEqual([
      ['wait', place, 8_000],
      ['zones', place],
      ['view', request, 3, BOARDS, 9_000],
    ]);
  });

  it('shows areas that have not applied the original as pending', async () => {
    const { view } = open({ pending: ['points', 'leaderboards'], boards: null });
    const { sections, pending } = await view();
    expect(Object.keys(sections)).toEqual(AREAS.slice(0, AREAS.indexOf('points')));
    expect(pending).toEqual(['points', 'leaderboards']);
  });

  it('names areas that the query gateway reports as pending', async () => {
    const { leaderboards: _, ...sections } = ANSWER;
    const { view } = open({ pending: [], boards: BOARDS }, { sections, pending: ['leaderboards'] });
    expect(await view()).toEqual({ sections, pending: ['leaderboards'] });
  });

  it('is read without a query gateway when none answers, with only the boards pending', async () => {
    const none: Viewed = { sections: {}, pending: AREAS };
    expect(await open({ pending: [], boards: BOARDS }, none).view()).toEqual({
      sections: USER_ANSWER,
      pending: ['leaderboards'],
    });
    const { sections, pending } = await open({ pending: ['points', 'leaderboards'], boards: null }, none).view();
    expect(Object.keys(sections)).toEqual(['users', 'streaks', 'achievements']);
    expect(pending).toEqual(['points', 'leaderboards']);
  });

  it('reads nothing when no area has applied the original', async () => {
    const { order, view } = open({ pending: AREAS, boards: null });
    expect(await view()).toEqual({ sections: {}, pending: AREAS });
    expect(order).toHaveLength(1);
  });
});
