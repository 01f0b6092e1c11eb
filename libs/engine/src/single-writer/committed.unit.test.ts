import { subjectOf } from '@laurel/testing/subjects';
import type { BoardsLayer, Configuration } from '@laurel/kernel';
import { Batch } from './batch.ts';
import { Chain } from './chain.ts';
import { Committed } from './committed.ts';
import { userKey, type AnyUserArea } from '../folding/document.ts';
import { storedChanges } from './stored-changes.ts';

const BOARDS = { publish: () => undefined } as unknown as BoardsLayer;
const NOTHING = { head: 0, recordedAt: -Infinity, failures: new Map() };
const AREA = { name: 'users', tables: [], encode: (state: unknown) => state } as unknown as AnyUserArea;
const CHAIN = new Chain([AREA], { name: 'leaderboards', tables: [] } as unknown as Chain['boards'], () => undefined);
const keyOf = (user: string) => userKey({ account: 'a', subject: subjectOf(user) });

/** Commits a batch in which each of the users has a document of about so many bytes. */
function commit(committed: Committed, users: Readonly<Record<string, number>>): void {
  const batch = new Batch(NOTHING, null, BOARDS);
  for (const [user, bytes] of Object.entries(users))
    batch.setDocument({ account: 'a', subject: subjectOf(user) }, ['ä'.repeat(bytes / 2)], {} as Configuration);
  storedChanges(batch, CHAIN);
  committed.publish(batch);
}

describe('the cached user states', () => {
  const bounds = { cachedUserBytes: 1_000_000, cachedKeyBytes: 1_000 };
  const users = (from: number, count: number, bytes: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`u${from + index}`, bytes]));

  it('stay within the memory limit, however large they are', () => {
    const committed = new Committed(bounds);
    for (let from = 0; from < 100; from += 10) commit(committed, users(from, 10, 57_000));
    expect(committed.documents.calculatedSize).toBeLessThanOrEqual(bounds.cachedUserBytes);
    expect(committed.documents.size).toBe(17);
    expect([keyOf('u82'), keyOf('u83'), keyOf('u99')].map((key) => committed.documents.has(key))).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('are all kept if they are small enough', () => {
    const committed = new Committed(bounds);
    commit(committed, users(0, 5_000, 100));
    expect(committed.documents.size).toBe(5_000);
  });

  it('are measured as they are stored, and again when they grow', () => {
    const committed = new Committed(bounds);
    commit(committed, { ada: 1_000 });
    const before = committed.documents.calculatedSize;
    commit(committed, { ada: 3_000 });
    expect(committed.documents.calculatedSize - before).toBe(2_000);
    expect(before).toBe(Buffer.byteLength(JSON.stringify({ users: 'ä'.repeat(500) })) + keyOf('ada').length);
  });

  it('drop a user whose state has outgrown the limit', () => {
    const committed = new Committed(bounds);
    commit(committed, { ada: 1_000 });
    commit(committed, { ada: 2_000_000 });
    expect(committed.documents.has(keyOf('ada'))).toBe(false);
    expect(committed.documents.calculatedSize).toBe(0);
  });
});

describe('the cached idempotency keys', () => {
  it('stay within their memory limit, however long they are', () => {
    const committed = new Committed({ cachedUserBytes: 1_000, cachedKeyBytes: 100_000 });
    const batch = new Batch(NOTHING, null, BOARDS);
    for (let n = 0; n < 1_000; n++) batch.setOriginal(`${n}`.padEnd(1_000, '🙂'), { eventId: 'e', date: '2026-01-01' });
    committed.publish(batch);
    expect(committed.keys.calculatedSize).toBeLessThanOrEqual(100_000);
    expect(committed.keys.size).toBeGreaterThan(40);
  });
});
