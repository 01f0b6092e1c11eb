import { parseDocument } from '@laurel/configuration';
import { ACCOUNT } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { PostgresDirectory } from '@laurel/directory';
import {
  BLOCK,
  EMPTY_CHAIN,
  LogProofs,
  PostgresLogReader,
  chained,
  findPosition,
  readChain,
  rootOf,
  textOfRecord,
  type StoredRecord,
} from '@laurel/event-store';
import { includes, parent } from '@laurel/event-store/fixtures';
import { createClock } from '@laurel/runtime';
import { CountedBuffers, type TestDatabase } from '@laurel/testing/database';
import { HISTORY_CONFIGURATION, lesson } from '@laurel/testing/histories';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { startService, type Service } from './start-service.ts';
import { QUIET } from './testing/quiet.ts';

const { document } = parseDocument(HISTORY_CONFIGURATION, 'test');

let now = 0;
const clock: Clock = { ...createClock({ type: 'system' }), now: () => now };
let database: TestDatabase;
let service: Service;
let log: PostgresLogReader;
let proofs: LogProofs;
const steps: string[] = [];

const start = () => startService(database.connection, clock, { ...QUIET, onStep: (step) => steps.push(step) });

beforeAll(async () => {
  now = Date.parse('2026-03-06T08:00:00Z');
  database = await openServiceDatabase();
  service = await start();
  log = new PostgresLogReader(database.sql, new PostgresDirectory(database.sql));
  proofs = new LogProofs(database.sql, log);
  await service.engine.publishConfiguration(ACCOUNT, document);
  while ((await log.head()) < 2 * BLOCK + 100) {
    now += 3;
    await Promise.all(Array.from({ length: 60 }, (_, n) => service.engine.submit([lesson(`user ${n}`)])));
  }
  now += 86_400_000;
  await service.engine.sweep();
}, 120_000);

afterAll(async () => {
  await service.close();
  await database.close();
});

const everything = (): Promise<readonly StoredRecord[]> => log.readStored(0, 1_000_000);

/** Which records the hash covers, and what it is. */
async function chain() {
  const { position, frontier } = await readChain(database.sql);
  const checkpoints = await database.sql.query('select * from log_checkpoints order by size', []);
  return { position, size: frontier.size, root: rootOf(frontier).toString('hex'), checkpoints };
}

it('the log chain covers every batch and equals the hash of the stored records', async () => {
  const records = await everything();
  const { position, size, root, checkpoints } = await chain();
  expect([position, size]).toEqual([await log.head(), records.length]);
  expect(root).toBe(rootOf(chained(EMPTY_CHAIN, records).head.frontier).toString('hex'));
  expect(checkpoints).toHaveLength(2);
  expect(records.some(({ type }) => type === 'UsersSwept')).toBe(true);
  const unnamed = await database.sql.query('select from events where hash_prefix is null', []);
  expect(unnamed).toEqual([]);
});

it('the next start builds the missing part of the log chain, as after an upgrade', async () => {
  const before = await chain();
  for (const lost of [
    "update log_chain set position = 0, size = 0, frontier = ''; delete from log_checkpoints",
    `with kept as (select * from log_checkpoints where size = ${BLOCK}), gone as (delete from log_checkpoints where size > ${BLOCK})
     update log_chain set position = kept.position, size = kept.size, frontier = kept.nodes from kept`,
  ]) {
    await service.close();
    for (const sql of lost.split('; ')) await database.sql.query(sql, []);
    steps.length = 0;
    service = await start();
    expect(steps).toContain('hashing the log');
    expect(await chain()).toEqual(before);
  }
  await service.close();
  steps.length = 0;
  service = await start();
  expect(steps).not.toContain('hashing the log');
});

it('the service goes on when the log chain is at another position, and leaves it alone', async () => {
  await database.sql.query('update log_chain set position = position - 1', []);
  await service.close();
  service = await start();
  await database.sql.query('update log_chain set position = position + 5', []);
  const before = await chain();
  const [outcome] = await service.engine.submit([lesson('ada')]);
  expect(outcome?.kind).toBe('recorded');
  expect(await chain()).toEqual(before);
  await service.close();
  await database.sql.query("update log_chain set position = 0, size = 0, frontier = ''", []);
  await database.sql.query('delete from log_checkpoints', []);
  service = await start();
});

/** RFC 9162, section 2.1.4.2, which shares no code with the tree. */
function extendsTree(
  first: number,
  second: number,
  roots: readonly [Buffer, Buffer],
  given: readonly Buffer[],
): boolean {
  if (first === second) return given.length === 0 && roots[0].equals(roots[1]);
  const path = Number.isInteger(Math.log2(first)) ? [roots[0], ...given] : given;
  let [fn, sn] = [first - 1, second - 1];
  while (fn % 2 === 1) [fn, sn] = [fn >> 1, sn >> 1];
  let [fr, sr] = [path[0] as Buffer, path[0] as Buffer];
  for (const c of path.slice(1)) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      [fr, sr] = [parent(c, fr), parent(c, sr)];
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1];
    } else sr = parent(sr, c);
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  return sn === 0 && fr.equals(roots[0]) && sr.equals(roots[1]);
}

describe('a proof that a record is in the log', () => {
  it.each([0, 1, 7, BLOCK - 1, BLOCK, BLOCK + 511, 2 * BLOCK - 1, 2 * BLOCK, 2 * BLOCK + 55, -1])(
    'is accepted by an independent verifier, which rejects forgeries: record %d',
    async (at) => {
      const records = await everything();
      const index = at < 0 ? records.length - 1 : at;
      const record = records[index] as StoredRecord;
      const proof = await proofs.inclusion(record.position);
      if (proof === null) throw new Error('there is none');
      const { head, text, path } = proof;
      const [size, root] = [head.frontier.size, rootOf(head.frontier)];
      expect([proof.index, text]).toEqual([index, textOfRecord(record)]);
      expect(includes(text, index, size, path, root)).toBe(true);
      const turned = (hash: Buffer) => Buffer.from(hash.map((byte, place) => (place === 31 ? byte ^ 1 : byte)));
      const forged: boolean[] = [
        includes(text.replace(/^\[\d+/, '[0'), index, size, path, root),
        includes(text, index === 0 ? 1 : index - 1, size, path, root),
        includes(text, index, size, path.slice(1), root),
        includes(text, index, size, [...path, root], root),
        includes(text, index, size, path, turned(root)),
        ...path.map((hash, place) => includes(text, index, size, path.with(place, turned(hash)), root)),
      ];
      expect(forged).not.toContain(true);
    },
  );

  it('is found by the id of the event at any position', async () => {
    for (const record of (await everything()).filter((_, index) => index % 97 === 0))
      expect(await findPosition(database.sql, ACCOUNT, record.eventId)).toBe(record.position);
    for (const id of ['00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-8fff-ffffffffffff'])
      expect(await findPosition(database.sql, ACCOUNT, id)).toBeNull();
  });

  it('is found only in the account of the event', async () => {
    const [record] = await everything();
    expect(await findPosition(database.sql, 'another', record?.eventId ?? '')).toBeNull();
  });

  it('touches at most 300 shared buffers', async () => {
    for (const record of (await everything()).filter((_, index) => index % 251 === 0)) {
      const counted = new CountedBuffers(database.sql);
      const position = (await findPosition(counted, ACCOUNT, record.eventId)) ?? 0;
      const reader = new PostgresLogReader(counted, new PostgresDirectory(counted));
      expect(await new LogProofs(counted, reader).inclusion(position)).not.toBeNull();
      expect(counted.buffers).toBeLessThan(300);
    }
  });

  it('does not exist for a position without a record', async () => {
    expect(await proofs.inclusion((await log.head()) + 1)).toBeNull();
    expect(await proofs.inclusion(0)).toBeNull();
  });
});

describe('a proof that the log has only grown', () => {
  it.each([1, 2, 3, 1_000, BLOCK, BLOCK + 1, 2 * BLOCK - 1, 2 * BLOCK, 2 * BLOCK + 77, -1])(
    'is accepted by an independent verifier, which rejects forgeries: since %d records',
    async (at) => {
      const records = await everything();
      const first = at < 0 ? records.length : at;
      const { head, path } = await proofs.consistency(first);
      const [size, root] = [head.frontier.size, rootOf(head.frontier)];
      const earlier = rootOf(chained(EMPTY_CHAIN, records.slice(0, first)).head.frontier);
      expect(extendsTree(first, size, [earlier, root], path)).toBe(true);
      const other = rootOf(chained(EMPTY_CHAIN, records.slice(1, first + 1)).head.frontier);
      expect(extendsTree(first, size, [other, root], path)).toBe(false);
      expect(extendsTree(first, size, [earlier, other], path)).toBe(false);
      if (path.length > 0) expect(extendsTree(first, size, [earlier, root], path.slice(1))).toBe(false);
    },
  );

  it('is refused when it starts beyond the end of the log', async () => {
    const { length } = await everything();
    await expect(proofs.consistency(length + 1)).rejects.toThrow(`the log has only ${length} records`);
  });
});
