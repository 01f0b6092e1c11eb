// What the hash of the log costs for a record: node bench/programs/log-hash.mjs FILE [BATCH]. FILE is in the form of an import. The text and
// the hash of each record, the tree, and the parameters of the statement, in batches of BATCH (250).
import { readFileSync } from 'node:fs';
import { EMPTY_CHAIN, chainParameters, chained } from '@laurel/event-store';

const [file, batch = '250'] = process.argv.slice(2);
const records = readFileSync(file, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line, index) => storedRecord(JSON.parse(line), index + 1));

function storedRecord({ metric, value, timestamp }, position) {
  const at = Date.parse(timestamp);
  return {
    position,
    eventId: `00000000-0000-7000-8000-${String(position).padStart(12, '0')}`,
    type: 'MetricEventRecorded',
    schemaVersion: 1,
    account: 'default',
    subject: 1 + (position % 5_000),
    occurredAt: at,
    recordedAt: at,
    configurationVersion: 1,
    keyHash: Buffer.alloc(16, position % 251).toString('base64'),
    metric,
    value: String(value),
    zone: null,
    imported: true,
    data: null,
    personal: null,
  };
}

function hashAll() {
  let head = EMPTY_CHAIN;
  for (let start = 0; start < records.length; start += Number(batch)) {
    const step = chained(head, records.slice(start, start + Number(batch)));
    chainParameters(step);
    head = step.head;
  }
  return head.frontier.size;
}

hashAll();
const before = process.cpuUsage();
const size = hashAll();
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ size, microseconds: (user + system) / size }));
