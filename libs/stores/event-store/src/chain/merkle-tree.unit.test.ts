import { createHash } from 'node:crypto';
import { textOfRecord, type StoredRecord } from '../stored-record.ts';
import { BLOCK, EMPTY_CHAIN, chained } from './log-chain.ts';
import {
  bytesOfFrontier,
  consistencyPath,
  frontierOf,
  inclusionPath,
  leafHash,
  rootOf,
  rootOver,
} from './merkle-tree.ts';

const sha = (...parts: readonly (Buffer | string)[]): Buffer =>
  createHash('sha256')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part as Buffer))))
    .digest();

/** Section 2.1 of RFC 6962, word for word: the hash of a list of texts. */
function mth(texts: readonly string[]): Buffer {
  if (texts.length === 0) return sha('');
  if (texts.length === 1) return sha('\0', texts[0] as string);
  let k = 1;
  while (2 * k < texts.length) k *= 2;
  return sha('\x01', mth(texts.slice(0, k)), mth(texts.slice(k)));
}

const texts = Array.from({ length: 70 }, (_, index) => `record ${index}`);

it('the Merkle root equals that of RFC 6962 for every number of leaves', () => {
  for (let size = 0; size <= texts.length; size++) {
    const some = texts.slice(0, size);
    expect(rootOver(some.map(leafHash)).equals(mth(some))).toBe(true);
  }
});

it('the tree passes the test vectors of Certificate Transparency', () => {
  const leaves = ['', '\0', '\x10', ' !', '01', '@ABC', 'PQRSTUVW', '`abcdefghijklmno'];
  expect(rootOver(leaves.map(leafHash)).toString('hex')).toBe(
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  );
  expect(inclusionPath(2, { from: 0, to: 5 })).toEqual([
    { from: 3, to: 4 },
    { from: 0, to: 2 },
    { from: 4, to: 5 },
  ]);
  expect(consistencyPath(3, 7)).toEqual([
    { from: 2, to: 3 },
    { from: 3, to: 4 },
    { from: 0, to: 2 },
    { from: 4, to: 7 },
  ]);
});

const record = (position: number): StoredRecord => ({
  position,
  subject: 4_503_599_627_370_495,
  occurredAt: 1_700_000_000_000,
  recordedAt: 1_700_000_000_001,
  eventId: '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a',
  keyHash: '0199a4c2-7d3e-0f00-8000-5c2f9d1e4b6b',
  configurationVersion: 1,
  schemaVersion: 2,
  type: 'MetricEventRecorded',
  imported: false,
  account: 'default',
  metric: 'words',
  value: '1.5',
  zone: 'Europe/Berlin',
  data: { b: [{ z: 1, a: null }], '10': 'x', a: 'ä' },
  personal: Buffer.from([1, 2, 3]),
});

it('the hash chain continues across batches of any size, with a checkpoint every 1,024 records', () => {
  const records = Array.from({ length: 2 * BLOCK + 5 }, (_, index) => record(index + 1));
  const whole = chained(EMPTY_CHAIN, records);
  expect(rootOf(whole.head.frontier).equals(mth(records.map(textOfRecord)))).toBe(true);
  expect(whole.checkpoints.map(({ size, position, nodes }) => [size, position, nodes.length])).toEqual([
    [BLOCK, BLOCK, 1],
    [2 * BLOCK, 2 * BLOCK, 2],
  ]);
  let head = EMPTY_CHAIN;
  for (let from = 0; from < records.length; from += 300) {
    const { frontier } = head;
    head = { ...head, frontier: frontierOf(frontier.size, bytesOfFrontier(frontier)) };
    ({ head } = chained(head, records.slice(from, from + 300)));
  }
  expect(head).toEqual(whole.head);
  expect(() => frontierOf(3, Buffer.alloc(32))).toThrow('32 bytes cannot stand for 3 records');
});

it('the hashed text of a record has its keys in the order of RFC 8785', () => {
  expect(textOfRecord(record(7))).toBe(
    '[7,"0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a","MetricEventRecorded",2,"default",4503599627370495,1700000000000,1700000000001,1,"0199a4c2-7d3e-0f00-8000-5c2f9d1e4b6b","words","1.5","Europe/Berlin",false,{"10":"x","a":"ä","b":[{"a":null,"z":1}]},"AQID"]',
  );
});

it('a change of any stored value changes the hash', () => {
  const changed: Partial<Record<keyof StoredRecord, unknown>> = {
    ...{ position: 8, subject: 5, occurredAt: 1, recordedAt: 2, eventId: 'x', keyHash: null, configurationVersion: 2 },
    ...{ schemaVersion: 1, type: 'UserIdentified', imported: true, account: 'other', metric: 'word', value: '1.50' },
    ...{ zone: 'UTC', data: null, personal: Buffer.from([1, 2, 4]) },
  };
  expect(Object.keys(changed).sort()).toEqual(Object.keys(record(7)).sort());
  const hashes = Object.entries(changed).map(([column, value]) => textOfRecord({ ...record(7), [column]: value }));
  expect(new Set([...hashes, textOfRecord(record(7))]).size).toBe(hashes.length + 1);
});
