import { exactOf } from '@laurel/amounts';
import {
  OUTCOME_TYPES,
  SPEND_TRIGGER,
  type Configuration,
  type Effect,
  type PointsAwarded,
  type RecordedUserEvent,
  type SpendRequested,
} from '@laurel/kernel';
import { candidatesOfUser } from './candidates.ts';
import type { JsonText } from './json-text.ts';
import type { UserSourceEvent } from './source-event.ts';

const AT = Date.parse('2026-03-07T00:00:00Z');
const XP = { id: 'id-of-xp', key: 'xp', name: 'Experience', description: null, badgeUrl: null, maxPoints: null };
const SYSTEM = { ...XP, levels: [], triggers: [], boosts: [] };
const configuration = { outgoing: null, pointsSystemByKey: new Map([['xp', SYSTEM]]) } as unknown as Configuration;
const ALL = new Set(OUTCOME_TYPES);

const SPEND: SpendRequested = { type: 'SpendRequested', subject: 1, system: 'xp', amount: 120, keyHash: 'key' };
const points = (amount: number) => exactOf(BigInt(amount));
const award = (awarded: number, total: number, more: Partial<PointsAwarded> = {}): PointsAwarded => ({
  ...{ type: 'PointsAwarded', triggerId: SPEND_TRIGGER, system: 'xp', at: AT, day: 20_519, due: false },
  ...{ awarded: points(awarded), total: points(total) },
  ...more,
});
const ACCEPTED: readonly Effect[] = [{ type: 'RequestAccepted', system: 'xp', amount: points(120) }, award(-120, 30)];

const spentBy = (fact: unknown, effects: readonly Effect[]) =>
  candidatesOfUser(
    {
      ...{ configuration, userId: 'ada', effects, dueFrom: -Infinity, awardIdOf: () => 'award' },
      record: { eventId: 'spend-1', occurredAt: AT, fact } as RecordedUserEvent,
    } as unknown as UserSourceEvent,
    ALL,
  ).flatMap(({ type, at, fields }) =>
    type === 'points.spent' ? [{ ...fields, at, points: JSON.parse((fields['points'] as JsonText).text) }] : [],
  );

describe('points.spent', () => {
  it('shows an accepted spend with the texts of the record', () => {
    expect(spentBy({ ...SPEND, reason: 'A hat', reference: 'order-1' }, ACCEPTED)).toMatchObject([
      {
        ...{ at: AT, eventId: 'spend-1', amount: 120, reason: 'A hat', reference: 'order-1' },
        points: { key: 'xp', total: 30, added: -120, awards: [{ awarded: -120, trigger: { type: 'spend' } }] },
      },
    ]);
  });

  it('has null for texts that the spend did not give', () => {
    expect(spentBy(SPEND, ACCEPTED)).toMatchObject([{ reason: null, reference: null }]);
  });

  it('has the amount of the spend alone beside points that fell due before it', () => {
    const due = award(10, 150, { triggerId: 'hourly', due: true });
    expect(spentBy(SPEND, [due, ...ACCEPTED])).toMatchObject([{ amount: 120, points: { total: 30, added: -110 } }]);
  });

  it('is not made for a refused spend, nor for a refund', () => {
    expect(spentBy(SPEND, [{ type: 'RequestRefused', system: 'xp', available: points(20) }])).toEqual([]);
    const spend = { position: 1, eventId: 'spend-1', spent: 120 };
    const refund = { ...SPEND, type: 'RefundRequested', spend };
    expect(spentBy(refund, [{ type: 'RequestAccepted', system: 'xp', amount: points(120) }, award(120, 150)])).toEqual(
      [],
    );
  });
});
