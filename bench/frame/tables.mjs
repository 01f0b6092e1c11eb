import { CANDIDATES } from './candidates.mjs';
import { boundText, figure, measuredGoals } from './goals.mjs';

const HEAD = `# Benchmarks: results

Written by \`npm run bench\`; do not edit. What each part measures and how to read it: [bench](../../bench/README.md).
Ratios hold, absolute figures belong to one machine.
`;

/** Markdown with a section for each part that has results. */
export function tablesOf(results) {
  const sections = Object.entries(SECTIONS).filter(([part]) => results[part] !== undefined);
  return [
    HEAD,
    writeGoals(results),
    ...writeBeside(results),
    ...sections.map(([part, write]) => write(results[part])),
  ].join('\n');
}

function writeGoals(results) {
  const rows = measuredGoals(results).map(({ goal: { work, must, aim }, measured, met }) => [
    work,
    boundText(must),
    boundText(aim),
    measured === null ? 'not measured' : figure({ ...(must ?? aim), value: measured }),
    met,
  ]);
  return [
    '## Goals\n',
    '(a) Fastify and an SQL transaction, (b) Fastify and a PL/pgSQL call, (c) Redis with Lua and `always`.',
    'Each figure is from the part of its row below, with its machine, Node and commit.\n',
    table(['work', 'must', 'aim', 'measured', 'met'], rows),
  ].join('\n');
}

/** Nothing if no part was measured beside another commit. */
function writeBeside(results) {
  const rows = BESIDE.flatMap(([part, work]) => besideRows(results[part], work));
  if (rows.length === 0) return [];
  return [
    [
      '## CPU for an event, beside another commit\n',
      'Both ran in turns. The ratio of a round is the CPU time of Node and the database for an event, divided by that of the other commit;',
      "the figures are medians, Laurel's first. Below 1, an event costs less than it did.\n",
      table(['work', 'beside', 'median ratio', 'each round', 'µs/event', 'measured'], rows),
    ].join('\n'),
  ];
}

const BESIDE = [
  ['rules', 'the rules alone'],
  ['rebuild', 'rebuild'],
  ['import', 'import by the command'],
  ['events', 'single events'],
];

function besideRows(result, work) {
  const levels = (result?.levels ?? []).map((level) => [
    `${work}, ${connectionsText(level.connections)}`,
    level.beside,
  ]);
  return [[work, result?.beside], ...levels]
    .filter(([, beside]) => beside !== undefined)
    .map(([name, { title, ratio, ratios, laurel, before }]) => [
      name,
      title,
      ratio.toFixed(3),
      ratios.map((one) => one.toFixed(2)).join(', '),
      `${laurel} / ${before}`,
      where(result),
    ]);
}

const SECTIONS = {
  events: writeEvents,
  tune: writeTune,
  versions: writeVersions,
  rules: (result) => writeRounds('The rules alone', 'µs of CPU for an event', result),
  rebuild: (result) => writeRounds('Rebuild', 'µs of CPU for an event, Node and Postgres', result),
  bytes: (result) => writeRounds('Stored bytes', 'bytes for an event, log and read models', result),
  import: (result) => writeRounds('Import over HTTP by the command', 'events/s', result),
  million: writeMillion,
  watchers: writeWatchers,
  outgoing: writeOutgoing,
  due: writeDue,
  hanging: writeHanging,
  distributed: writeDistributed,
  'distributed-import': writeDistributedImport,
};

const where = ({ machine, node, commit, date, load }) =>
  `${date}, ${machine}, Node ${node}, commit ${commit}, load average ${load} at the start.`;

function writeEvents(result) {
  const { levels, rounds, seconds, users, warmUp, pools } = result;
  const named = new Set(levels.flatMap(({ candidates }) => candidates.map(({ name }) => name)));
  const sizes = Object.entries(pools)
    .filter(([name]) => CANDIDATES[name].pool && named.has(name))
    .map(([name, { poolSize }]) => `${name} ${poolSize}`);
  const tables = levels.map(({ connections, candidates }) => {
    const [{ rate: own }] = candidates;
    const rows = candidates.map((one) => [
      one.title,
      one.rate,
      `${(own / one.rate).toFixed(2)} ×`,
      one.p50,
      one.p99,
      one.nodeMicroseconds ?? '–',
      one.databaseMicroseconds ?? '–',
      one.loadMicroseconds,
    ]);
    return `### ${connectionsText(connections)}\n\n${table(EVENT_COLUMNS, rows)}`;
  });
  return [
    '## Single events over HTTP, each with its whole answer\n',
    '![Events per second](events.svg)\n',
    `${where(result)} Medians of ${rounds} rounds of ${seconds} s in turns, after ${warmUp} events each; ${users} users; load`,
    `generator and databases on the same cores. Pools of connections: ${sizes.join(', ')}. Every answer was checked first.\n`,
    ...tables,
  ].join('\n');
}

const EVENT_COLUMNS = [
  'candidate',
  'events/s',
  'Laurel to it',
  'p50 ms',
  'p99 ms',
  'Node µs/event',
  'database µs/event',
  'load µs/event',
];

function writeVersions({ rows }) {
  const cells = rows.map((row) => {
    const { title, connections, rounds, seconds, ratio, ratios, candidates } = row;
    return [
      `${title}, ${connectionsText(connections)}`,
      `${ratio.toFixed(3)} × of ${rounds} × ${seconds} s`,
      ratios.map((one) => one.toFixed(2)).join(', '),
      candidates.map(({ rate }) => rate).join(' / '),
      candidates
        .map(({ nodeMicroseconds, databaseMicroseconds }) => nodeMicroseconds + databaseMicroseconds)
        .join(' / '),
      where(row),
    ];
  });
  return [
    '## Laurel beside earlier versions of itself\n',
    "Both ran in turns, and each round gives a ratio; the figures are medians, Laurel's first. The configuration names no outcome. Rounds differ by a",
    'fifth, so a hundredth more or less decides nothing.\n',
    table(
      ['beside', 'events/s, median ratio', 'each round', 'events/s', 'Node and Postgres µs/event', 'measured'],
      cells,
    ),
  ].join('\n');
}

function writeTune(result) {
  const rows = Object.entries(result.chosen).map(([name, { poolSize, 'events/s by size': rates }]) => [
    name,
    poolSize,
    Object.entries(rates)
      .map(([size, rate]) => `${size}: ${rate}`)
      .join(', '),
  ]);
  const columns = ['baseline', 'best size', 'events/s by size'];
  return `## Size of the pool of connections, at 64 connections\n\n${where(result)}\n\n${table(columns, rows)}`;
}

function writeRounds(title, unit, result) {
  const rows = result.rows.map(({ title: name, median, rounds }) => [name, median, rounds.join(', ')]);
  return `## ${title}\n\n${where(result)} ${result.note}\n\n${table(['', `${unit}, median`, 'rounds'], rows)}`;
}

function writeMillion(result) {
  const { users, rounds, seconds, sizes, memory, moves, runs, rows } = result;
  const shots = sizes.map((size) => [
    size.title,
    size.nodeMicroseconds ?? '–',
    size.databaseMicroseconds ?? '–',
    size.rate,
    size.p50,
    size.p99,
  ]);
  const times = Object.entries({ Laurel: moves.laurel, 'Redis, pipelined': moves.redis });
  return [
    '## A million users\n',
    `${where(result)} Medians of ${rounds} rounds of ${seconds} s in turns at 64 connections; ${users} users are active in both`,
    `databases. The log of the larger one has ${rows.events} records. Entries of its boards:`,
    `${runs.map(({ board, start, entries }) => `${board} from ${start} ${entries}`).join(', ')}.\n`,
    table(['database', 'Node µs/event', 'Postgres µs/event', 'events/s', 'p50 ms', 'p99 ms'], shots),
    `In memory an entry of a board takes ${memory.perEntry.toFixed(0)} bytes; ${memory.countedPerEntry.toFixed(0)} are counted`,
    'against the bound.\n',
    table(
      [`rank before, change, rank after among ${moves.entries}`, 'µs'],
      times.map(([title, time]) => [title, time === null ? 'not measured' : time.toFixed(2)]),
    ),
  ].join('\n');
}

function writeWatchers(result) {
  const { kinds, rounds, seconds, users, warmUp, connections, watchers, messages } = result;
  const [, { rate: unwatched }] = kinds;
  const rows = kinds.map((one) => [
    one.title,
    one.rate,
    `${(one.rate / unwatched).toFixed(3)} ×`,
    one.p50,
    one.p99,
    one.nodeMicroseconds ?? '–',
    one.databaseMicroseconds ?? '–',
    one.rates.join(', '),
  ]);
  const columns = [
    'console',
    'events/s',
    'to nobody',
    'p50 ms',
    'p99 ms',
    'Node µs/event',
    'Postgres µs/event',
    'rounds',
  ];
  return [
    '## Watchers of the live feed\n',
    `${where(result)} Medians of ${rounds} rounds of ${seconds} s in turns at ${connectionsText(connections)}, after ${warmUp} events;`,
    `${users} users. Each of the ${watchers} watchers got at least ${messages} messages in a round.\n`,
    table(columns, rows),
  ].join('\n');
}

function writeOutgoing(result) {
  const { kinds, rounds, seconds, users, warmUp, connections } = result;
  const rows = kinds.map((one) => [
    one.title,
    one.rate,
    one.ratios.map((ratio) => ratio.toFixed(3)).join(', '),
    one.p50,
    one.p99,
    one.nodeMicroseconds ?? '–',
    one.databaseMicroseconds ?? '–',
    one.outcomesPerEvent,
    `${Math.round(one.late * 100)} %`,
  ]);
  const columns = [
    ...['outcomes named', 'events/s', 'to none, each round', 'p50 ms', 'p99 ms', 'Node µs/event', 'Postgres µs/event'],
    ...['outcomes/event', 'made later'],
  ];
  return [
    '## Outcomes\n',
    `${where(result)} Medians of ${rounds} rounds of ${seconds} s in turns at ${connectionsText(connections)}, after ${warmUp} events`,
    `each; ${users} users. Outcomes are made beside the answers: the last column says how many of a round were not made at its end.\n`,
    table(columns, rows),
    ...(kinds[0].profile === undefined ? [] : writeProfiles(result)),
  ].join('\n');
}

/** Libraries that take less in every form share one row. */
const SHOWN_FROM_US = 2;

function writeProfiles({ kinds, profiledSeconds }) {
  const names = [...new Set(kinds.flatMap(({ profile }) => Object.keys(profile)))];
  const of = (name) => kinds.map(({ profile }) => profile[name] ?? 0);
  const isShown = (name) => Math.max(...of(name)) >= SHOWN_FROM_US;
  const shown = names.filter(isShown).sort((one, other) => of(other).at(-1) - of(one).at(-1));
  const rest = names.filter((name) => !isShown(name));
  const sum = (some) => kinds.map((_, index) => some.reduce((total, name) => total + of(name)[index], 0));
  const row = (name, values) => [name, ...values.map((value) => value.toFixed(1))];
  return [
    `Time of Node's main thread by library, in µs per event, from one profile of ${profiledSeconds} s of each form. The profiles are taken after the`,
    'rounds, because profiling slows the process. A library includes the packages it calls, and `kernel`, `ports`, `schemas`, `calendar`, `amounts` and `database`.\n',
    table(
      ['spent on', ...kinds.map(({ title }) => title)],
      [...shown.map((name) => row(name, of(name))), row('everything else', sum(rest)), row('in all', sum(names))],
    ),
  ];
}

function writeDue(result) {
  const { kinds, rounds, seconds, users, active, due, settledSeconds, toldSeconds, reminders, connections } = result;
  const rows = kinds.map((one) => [
    one.title,
    one.rate,
    one.p50,
    one.p99,
    one.worstP99 ?? '–',
    one.nodeMicroseconds ?? '–',
    one.databaseMicroseconds ?? '–',
  ]);
  const columns = ['', 'events/s', 'p50 ms', 'p99 ms', 'worst p99 ms', 'Node µs/event', 'Postgres µs/event'];
  return [
    '## A reminder of everybody at one instant\n',
    `${where(result)} ${due} of ${users} users fell due at one instant and were settled ${settledSeconds} s later; ${reminders} reminders were made,`,
    `the last ${toldSeconds} s after it. Meanwhile ${active} users recorded single events at ${connectionsText(connections)}: medians of`,
    `${rounds} rounds of ${seconds} s before and after, and of all until everybody was settled. CPU includes that of settling.\n`,
    table(columns, rows),
  ].join('\n');
}

function writeHanging(result) {
  const { kinds, rounds, events, connections, deliveries } = result;
  const rows = kinds.map(({ title, seconds, lag, ratios }) => [
    title,
    seconds,
    lag,
    ratios.map((ratio) => ratio.toFixed(2)).join(', '),
  ]);
  return [
    '## An endpoint that hangs\n',
    `${where(result)} Medians of ${rounds} rounds in turns of ${events} events at ${connectionsText(connections)}, which make ${deliveries} deliveries;`,
    'no outcome is held back. The other endpoint never answers, so eight requests to it are in progress at any time.\n',
    table(
      ['an endpoint that answers', 's for 1,000 deliveries', 'ms from event to arrival', 'to alone, each round'],
      rows,
    ),
  ].join('\n');
}

function writeDistributed(result) {
  const { forms, relay, rounds, seconds, users, warmUp, leadInSeconds, partitions, idleSeconds } = result;
  const levelsOf = (connections) =>
    forms.map((form) => ({ form, level: form.levels.find((one) => one.connections === connections) }));
  const sections = relay.map(({ connections, rate, p50 }) => {
    const rows = levelsOf(connections).map(({ form, level }) => [
      form.title,
      level.rate,
      level.p50,
      `${(level.p50 / p50).toFixed(2)} ×`,
      level.p99,
      level.microseconds,
      level.pending,
    ]);
    const columns = ['form', 'events/s', 'p50 ms', 'p50 to the relay', 'p99 ms', 'µs/event', 'pending'];
    rows.push(['A bare relay over five topics', rate, p50, '1.00 ×', '–', '–', '–']);
    return `### Forms of an installation, ${connectionsText(connections)}\n\n${table(columns, rows)}`;
  });
  const processTables = forms.map(({ title, levels }) => {
    const kinds = levels.map(({ connections, processes }) => [connectionsText(connections), processes]);
    const rows = Object.keys(levels[0].processes).map((name) => [
      name,
      ...kinds.map(([, processes]) => processes[name]),
    ]);
    return `### CPU of each process: ${title}\n\n${table(['µs/event', ...kinds.map(([kind]) => kind)], rows)}`;
  });
  return [
    '## Forms of an installation\n',
    `${where(result)} Medians of ${rounds} rounds of ${seconds} s; ${users} users, ${partitions} partitions. The`,
    `forms ran one after the other, each alone with a broker and a database of its own: first ${warmUp} events to warm up, then the rounds,`,
    `each measurement after ${leadInSeconds} s of the same load. CPU is that of all processes of the form, broker and database among them.\n`,
    ...sections,
    `### Nothing to do, for ${idleSeconds} s\n`,
    table(
      ['form', 'ms of CPU per second'],
      forms.map(({ title, idle }) => [title, idle]),
    ),
    ...processTables,
    ...forms.filter(({ bytes }) => bytes !== undefined).map(writeSizes),
  ].join('\n');
}

function writeDistributedImport(result) {
  const { forms, note } = result;
  return [
    '## Import by the command, in each form\n',
    `${where(result)} ${note}\n`,
    table(
      ['form', 'events/s', 'µs/event'],
      forms.map(({ title, rate, microseconds }) => [title, rate, microseconds]),
    ),
    ...forms.map(
      ({ title, processes }) =>
        `### CPU of each process: ${title}, import\n\n${table(['process', 'µs/event'], Object.entries(processes))}`,
    ),
  ].join('\n');
}

const writeSizes = ({ title, bytes }) =>
  `### Bytes for an event: ${title}\n\n${table(['topic or schema', 'bytes'], Object.entries(bytes))}`;

const connectionsText = (connections) => (connections === 1 ? '1 connection' : `${connections} connections`);

const table = (columns, rows) =>
  [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n') + '\n';
