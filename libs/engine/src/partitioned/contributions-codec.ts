import type { Exact } from '@laurel/amounts';
import type { BoardsAnswer, Contribution, Contributions } from '@laurel/kernel';

/**
 * Encodes contributions as a JSON array without field names, because there is one for each event and each partition of
 * boards that it feeds.
 *
 * [account, version, subject, position, [[board, run, change, sets, at, ordinal, due], …], [event id, day], recorded
 * at]
 *
 * The event id and the day are null if nobody waits for the answer. If the instant is null as well, all of these are
 * left out. `sets` and `due` are 0 or 1. A change is a string if a number cannot hold it exactly.
 */
export function encodeContributions(contributions: Contributions): string {
  const { account, configurationVersion, subject, position, recordedAt, changes, answer } = contributions;
  const fields: unknown[] = [account, configurationVersion, subject, position, changes.map(encodeChange)];
  if (answer !== null || recordedAt !== null) fields.push(answer && [answer.eventId, answer.day]);
  if (recordedAt !== null) fields.push(recordedAt);
  return JSON.stringify(fields);
}

const encodeChange = ({ board, run, change, sets, at, ordinal, due }: Contribution): readonly unknown[] => [
  board,
  run,
  typeof change === 'bigint' ? change.toString() : change,
  sets ? 1 : 0,
  at,
  ordinal,
  due ? 1 : 0,
];

/** @throws Error that names the field, for a text that {@link encodeContributions} did not write. */
export function decodeContributions(text: string): Contributions {
  const fields = listOf(JSON.parse(text), 'the contributions', 5, 7);
  const [account, configurationVersion, subject, position, changes, answer = null, recordedAt = null] = fields;
  if (typeof account !== 'string') throw malformed('the account', account);
  return {
    account,
    configurationVersion: wholeNumber(configurationVersion, 'the version'),
    subject: wholeNumber(subject, 'the subject'),
    position: wholeNumber(position, 'the position'),
    recordedAt: recordedAt === null ? null : wholeNumber(recordedAt, 'the instant of recording'),
    changes: listOf(changes, 'the changes').map(decodeChange),
    answer: answer === null ? null : decodeAnswer(answer),
  };
}

function decodeChange(value: unknown): Contribution {
  const [board, run, change, sets, at, ordinal, due] = listOf(value, 'a change', 7);
  return {
    board: wholeNumber(board, 'the board'),
    run: wholeNumber(run, 'the run'),
    change: exact(change),
    sets: flag(sets, 'sets'),
    at: wholeNumber(at, 'the instant'),
    ordinal: wholeNumber(ordinal, 'the ordinal'),
    due: flag(due, 'due'),
  };
}

function decodeAnswer(value: unknown): BoardsAnswer {
  const [eventId, day] = listOf(value, 'the answer', 2);
  if (typeof eventId !== 'string') throw malformed('the event id', eventId);
  return { eventId, day: wholeNumber(day, 'the day') };
}

function exact(value: unknown): Exact {
  if (typeof value === 'string' && /^-?\d+$/.test(value)) return BigInt(value);
  return wholeNumber(value, 'the change');
}

function flag(value: unknown, name: string): boolean {
  if (value !== 0 && value !== 1) throw malformed(name, value);
  return value === 1;
}

function wholeNumber(value: unknown, name: string): number {
  if (!Number.isSafeInteger(value)) throw malformed(name, value);
  return value as number;
}

function listOf(value: unknown, name: string, least = 0, most = least || Infinity): readonly unknown[] {
  if (!Array.isArray(value) || value.length < least || value.length > most) throw malformed(name, value);
  return value;
}

const malformed = (name: string, value: unknown): Error =>
  new Error(`${name} cannot be ${(JSON.stringify(value) ?? 'absent').slice(0, 100)}`);
