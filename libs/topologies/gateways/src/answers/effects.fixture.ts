import { subjectOf } from '@laurel/ports/fixtures';
import { newMessage, type BoardOutcome, type ChainMessage, type AnswerParts } from '@laurel/kernel';
import type { BoardsEffect, UserPart } from '@laurel/ports';

export const AT = Date.parse('2026-01-10T12:00:00Z');

export function messageOf(eventId: string): ChainMessage {
  const fact = { type: 'UserIdentified', subject: subjectOf('ada'), user: {} } as const;
  const recorded = { eventId, account: 'default', configurationVersion: 1, occurredAt: AT, recordedAt: AT };
  const sections: AnswerParts = {
    users: { created: false, createdAt: 0, zone: 'UTC', previousZone: 'UTC', date: '2026-01-10', total: 7n },
    achievements: { completed: [{ key: `of ${eventId}`, achievedAt: AT }] },
    points: { awards: [], systems: [] },
  };
  return { ...newMessage({ ...recorded, fact, position: 1 }), sections };
}

export function userPart(eventId: string, fields: Partial<UserPart> = {}): UserPart {
  return { kind: 'trunk', eventId, message: messageOf(eventId), trail: [1, 2, 3], boards: [], ...fields };
}

export function boardsEffect(eventId: string, partition: number, ...keys: readonly string[]): BoardsEffect {
  return { kind: 'boards', eventId, partition, outcomes: keys.map(outcome) };
}

export function outcome(key: string): BoardOutcome {
  return { key, runStart: '2026-01-01', runEnd: null, previousRank: null, rank: 1, threshold: 0n };
}
