// Moves the areas of a running topology to other steps and back, as an operator does, with a part of a recorded history imported in
// each form. The digests must be those of a standalone that applies the same log.
//
//   node --conditions=@laurel/source --import ./libs/testing/src/typescript-loader.mjs tools/check-moves.mjs HISTORY
//     --config FILE [--clock INSTANT] [--partitions 4] [--events 6000]
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../libs/stores/embedded-postgres/dist/index.js';
import { importLines, linesOf, sameDigests, settled } from './distributed/history-through.mjs';
import { POSTGRES_SETTINGS, prepareTopology } from './distributed/start-topology.mjs';
import { startKafka } from './kafka/start-kafka.mjs';
import { waitUntil } from './processes.mjs';

/** The forms of a topology: the LAUREL_STEPS of each process. An empty list stands for one process for each service. */
const FORMS = [
  { title: 'six services', steps: [] },
  { title: 'all areas in one process', steps: ['users,streaks,achievements,points,leaderboards'] },
  { title: 'a cut before points', steps: ['users,streaks,achievements', 'points', 'leaderboards'] },
  { title: 'six services again', steps: [] },
];
const COMMAND = 'steps move';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    config: { type: 'string' },
    clock: { type: 'string' },
    partitions: { type: 'string', default: '4' },
    events: { type: 'string', default: '6000' },
  },
});
const [history] = positionals;
if (!history || !values.config) {
  console.error(
    'usage: tools/check-moves.mjs HISTORY --config FILE [--clock INSTANT] [--partitions 4] [--events 6000]',
  );
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'laurel-check-'));
// If this runs as root, Postgres runs under another account, which must be able to enter the folder.
chmodSync(folder, 0o755);
const events = Number(values.events);
const share = Math.ceil(events / FORMS.length);
const lines = linesOf(history).slice(0, events);

let same = false;
const [kafka, postgres] = await Promise.all([
  startKafka({ dataDir: join(folder, 'kafka') }),
  startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), settings: POSTGRES_SETTINGS }),
]);
let running = await prepare(0);
try {
  await running.start();
  await importShare(0);
  for (let number = 1; number < FORMS.length; number++) {
    await moveTo(number);
    await importShare(number);
  }
  same = await sameDigests(running);
} catch (error) {
  // Printed here, because a further error while the processes stop would take its place.
  console.error(error);
} finally {
  await running.stop();
  await Promise.all([kafka.stop(), postgres.stop()]);
  if (same) rmSync(folder, { recursive: true, force: true });
  else console.error(`what it left is in ${folder}`);
}
process.exit(same ? 0 : 1);

function prepare(number) {
  const { steps } = FORMS[number];
  return prepareTopology({
    dataDir: join(folder, String(number)),
    config: values.config,
    clock: values.clock,
    partitions: Number(values.partitions),
    ...(steps.length > 0 && { steps }),
    kafka,
    postgres,
  });
}

async function importShare(number) {
  const some = lines.slice(number * share, (number + 1) * share);
  await importLines(running, join(folder, `part-${number}.ndjson`), some);
  const { head, services } = await settled(running);
  const steps = services.map(({ service }) => service).join(', ');
  console.log(`${FORMS[number].title}: ${some.length} events, ${head} records applied by ${steps}`);
}

/**
 * As docs/guides/distributed.md describes: the gateways stop, `steps move` waits until the services have applied
 * everything, the services stop, and the new ones start.
 */
async function moveTo(number) {
  const left = running;
  const next = await prepare(number);
  await Promise.all(left.of('ingestion-gateway').map((gateway) => gateway.stop()));
  const [first, ...others] = next.processes.filter(({ name }) => !name.endsWith('-gateway'));
  const firstMove = first.startJob(COMMAND);
  await waitUntil(() => printed(firstMove).includes('to be stopped'), `${COMMAND} waits for the services to stop`, {
    limitMs: 60_000,
    program: firstMove,
  });
  await left.stop();
  running = next;
  await succeeded(firstMove);
  for (const process of others) await succeeded(process.startJob(COMMAND));
  await next.start();
}

async function succeeded(job) {
  const code = await job.ended;
  if (code !== 0) throw new Error(`${job.name} ended with ${code}:\n${printed(job).slice(-2_000)}`);
}

function printed({ log }) {
  return readFileSync(log, 'utf8');
}
