// npm run bench -- [--all | --parts NAME,NAME] [OPTIONS] measures and writes tables, JSON and charts; npm run bench -- --check only
// checks that all candidates give the same answers. bench/README.md says what each part measures.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CANDIDATES, compareWith } from './frame/candidates.mjs';
import { readResults, writeResults } from './frame/results.mjs';
import { surroundings } from './frame/surroundings.mjs';
import { FORMS } from './frame/topologies.mjs';
import { bytes } from './parts/bytes.mjs';
import { check } from './parts/check.mjs';
import { due } from './parts/due.mjs';
import { distributed } from './parts/distributed.mjs';
import { distributedImport } from './parts/distributed-import.mjs';
import { events } from './parts/events.mjs';
import { hanging } from './parts/hanging.mjs';
import { importing } from './parts/import.mjs';
import { million } from './parts/million.mjs';
import { outgoing } from './parts/outgoing.mjs';
import { rebuild } from './parts/rebuild.mjs';
import { rules } from './parts/rules.mjs';
import { tune } from './parts/tune.mjs';
import { versions } from './parts/versions.mjs';
import { watchers } from './parts/watchers.mjs';

const PARTS = {
  ...{ check, tune, events, rules, rebuild, import: importing, bytes, million, watchers, outgoing, due, distributed },
  hanging,
  versions,
  'distributed-import': distributedImport,
};
/** What `--all` measures: every row of the table of goals but those of `versions`, which takes one commit at a time. */
const ALL = Object.keys(PARTS).filter((name) => !['check', 'versions'].includes(name));
/** Parts that can be compared with another commit. */
const WITH_BEFORE = [
  'check',
  'events',
  'versions',
  'rules',
  'rebuild',
  'import',
  'bytes',
  'distributed',
  'distributed-import',
];

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    tune: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    parts: { type: 'string' },
    candidates: { type: 'string' },
    before: { type: 'string' },
    connections: { type: 'string', default: '1,64,256' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '8' },
    users: { type: 'string', default: '10000' },
    'warm-up': { type: 'string', default: '30000' },
    'lead-in': { type: 'string', default: '8' },
    'check-events': { type: 'string' },
    history: { type: 'string' },
    config: { type: 'string' },
    events: { type: 'string', default: '60000' },
    scale: { type: 'string', default: '1' },
    'pool-size': { type: 'string' },
    forms: { type: 'string' },
    partitions: { type: 'string', default: '4' },
    'import-events': { type: 'string', default: '20000' },
    'idle-seconds': { type: 'string', default: '30' },
    'due-users': { type: 'string', default: '1000000' },
    out: { type: 'string', default: 'docs/benchmarks' },
  },
});

const names = namesOf(values);
for (const name of names) if (!(name in PARTS)) refuse(`there is no part ${name}: ${Object.keys(PARTS).join(', ')}`);
if (values.before !== undefined) {
  if (!names.some((name) => WITH_BEFORE.includes(name)))
    refuse(`--before is for the parts ${WITH_BEFORE.join(', ')}, and ${names.join(', ')} is none of them`);
  try {
    FORMS.before.title = `Six services as of ${compareWith(values.before)}`;
  } catch (error) {
    refuse(error.message);
  }
}
const candidates = chosen(values.candidates, CANDIDATES);
const forms = chosen(values.forms, FORMS);
if (
  values.before === undefined &&
  [...candidates, ...forms, ...names].some((name) => ['before', 'versions'].includes(name))
)
  refuse('beside which commit? --before COMMIT');
const file = join(values.out, 'results.json');
const results = readResults(file);
const options = {
  candidates,
  connections: listOf(values.connections).map(Number),
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  users: Number(values.users),
  warmUp: Number(values['warm-up']),
  leadInSeconds: Number(values['lead-in']),
  checkEvents: Number(values['check-events'] ?? (values.check ? 300 : 1_000)),
  history: values.history,
  config: values.config,
  events: Number(values.events),
  scale: Number(values.scale),
  forms,
  partitions: Number(values.partitions),
  importEvents: Number(values['import-events']),
  idleSeconds: Number(values['idle-seconds']),
  dueUsers: Number(values['due-users']),
};

for (const name of names) {
  const where = surroundings();
  const pools = givenPools() ?? results.tune?.chosen;
  const result = await PARTS[name]({ ...options, where, pools }, results[name]);
  if (result === null) continue;
  results[name] = { ...where, ...result };
  // After each part: what takes hours is not lost with the last of it.
  for (const path of await writeResults(values.out, results)) console.log(`wrote ${path}`);
}

/** Instead of the best of four, for a quick look. */
function givenPools() {
  const poolSize = values['pool-size'] && Number(values['pool-size']);
  return poolSize && Object.fromEntries(Object.keys(CANDIDATES).map((name) => [name, { poolSize }]));
}

function namesOf({ check: checks, tune: tunes, all, parts }) {
  if (checks) return ['check'];
  if (tunes) return ['tune'];
  return all ? ALL : listOf(parts ?? 'events');
}

/** Without any named: all; `before` only where a commit is. */
function chosen(named, all) {
  if (named !== undefined) return listOf(named);
  return Object.keys(all).filter((name) => name !== 'before' || values.before !== undefined);
}

/** @returns {never} */
function refuse(message) {
  console.error(message);
  process.exit(2);
}

function listOf(text) {
  return text.split(',').filter((word) => word !== '');
}
