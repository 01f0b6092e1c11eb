import { CANDIDATES } from './candidates.mjs';
import { median } from './surroundings.mjs';

/**
 * What each kind of work must reach, and what it aims at, beside what it is compared with.
 *
 * @typedef {object} Bound
 * @property {'atLeast' | 'atMost'} is
 * @property {number} value
 * @property {string} of what the number stands before: `× (b)`, `events/s`
 *
 * @typedef {object} Goal
 * @property {string} work
 * @property {Bound} [must] below it the work is not done
 * @property {Bound} [aim] what a bare prototype reached; of another unit than `must` it has a goal of its own
 * @property {(results: object) => number | null} measure in the unit of the bounds; null: not measured
 */

const atLeast = (value, of) => ({ is: 'atLeast', value, of });
const atMost = (value, of) => ({ is: 'atMost', value, of });

/** null: one of them was not measured. */
const ratio = (one, other) => (typeof one === 'number' && typeof other === 'number' ? one / other : null);

const candidate = ({ events }, connections, name) =>
  events?.levels.find((level) => level.connections === connections)?.candidates.find((one) => one.name === name);

/** Laurel's rate by that of another. */
const rates = (connections, name) => (results) =>
  ratio(candidate(results, connections, 'laurel')?.rate, candidate(results, connections, name)?.rate);

const medianOf = (result, title) => result?.rows.find((row) => row.title === title)?.median;
const own = (part) => (results) => medianOf(results[part], CANDIDATES.laurel.title) ?? null;

const form = ({ distributed }, name) => distributed?.forms.find((one) => one.name === name);
const level = (results, name, connections) =>
  form(results, name)?.levels.find((one) => one.connections === connections);
/** The median of the ratios of each round, since both were measured right after each other. */
const outgoing = (kind) => (results) => {
  const ratios = results.outgoing?.kinds[kind].ratios;
  return ratios === undefined ? null : median(ratios);
};
/** The median ratio to an earlier commit at 64 connections. */
const version =
  (commit) =>
  ({ versions }) =>
    versions?.rows.find((row) => row.title.endsWith(` ${commit}`) && row.connections === 64)?.ratio ?? null;
const inMs = (microseconds) => (microseconds === undefined ? null : microseconds / 1_000);

/** A run with `--scale` below 1 is a quick look, and says nothing of a million. */
const atFullScale = ({ million }) => (million?.moves.entries >= 1_000_000 ? million : undefined);

const cpuOf = (size) => size && size.nodeMicroseconds + size.databaseMicroseconds;

/** @type {readonly Goal[]} in the order of the table */
const GOALS = [
  {
    work: '64 connections, events/s',
    must: atLeast(3, '× (b)'),
    aim: atLeast(5, '× (b)'),
    measure: rates(64, 'plpgsql-call'),
  },
  { work: '64 connections, events/s', aim: atLeast(1, '× (c)'), measure: rates(64, 'redis-always') },
  { work: '64 connections, events/s', aim: atLeast(11, '× (a)'), measure: rates(64, 'sql-transaction') },
  {
    work: '256 connections, events/s',
    must: atLeast(3.5, '× (b)'),
    aim: atLeast(7, '× (b)'),
    measure: rates(256, 'plpgsql-call'),
  },
  {
    work: '256 connections, p99',
    must: atMost(5, '× p50'),
    measure: (results) => ratio(candidate(results, 256, 'laurel')?.p99, candidate(results, 256, 'laurel')?.p50),
  },
  {
    work: '1 connection, p50',
    must: atMost(1, '× (b)'),
    aim: atMost(0.41, '× (b)'),
    measure: (results) => ratio(candidate(results, 1, 'laurel')?.p50, candidate(results, 1, 'plpgsql-call')?.p50),
  },
  { work: 'rebuild, CPU of Node and Postgres', aim: atMost(20, 'µs'), measure: own('rebuild') },
  { work: 'import over HTTP by the command', aim: atLeast(20_000, 'events/s'), measure: own('import') },
  {
    work: 'CPU for an event with a million users',
    must: atMost(1.3, '× with 10,000'),
    aim: atMost(1.1, '× with 10,000'),
    measure: (results) => ratio(cpuOf(atFullScale(results)?.sizes[1]), cpuOf(atFullScale(results)?.sizes[0])),
  },
  {
    work: 'memory of an entry of a board in memory',
    must: atMost(130, 'bytes'),
    measure: (results) => atFullScale(results)?.memory.perEntry ?? null,
  },
  {
    work: 'rank before, change, rank after among a million',
    must: atLeast(4, '× Redis pipelined'),
    measure: (results) => ratio(atFullScale(results)?.moves.redis, atFullScale(results)?.moves.laurel),
  },
  {
    work: '64 connections while 32 watch the live feed, events/s',
    must: atLeast(0.97, '× without'),
    measure: ({ watchers }) => ratio(watchers?.kinds[2].rate, watchers?.kinds[1].rate),
  },
  {
    work: '64 connections, beside the version before the support desk (bd8c1df), events/s',
    must: atLeast(0.97, '× before'),
    measure: version('bd8c1df'),
  },
  {
    work: '64 connections with no outcome named, beside the version before outcomes (671b888), events/s',
    must: atLeast(0.97, '× before'),
    measure: version('671b888'),
  },
  {
    work: '64 connections with outcomes of completions, streaks and levels, events/s',
    must: atLeast(0.9, '× without'),
    measure: outgoing(1),
  },
  {
    work: '64 connections with all outcomes, events/s',
    must: atLeast(0.7, '× without'),
    measure: outgoing(2),
  },
  {
    work: 'deliveries to an endpoint while another one hangs, time',
    must: atMost(2, '× alone'),
    measure: ({ hanging }) => (hanging === undefined ? null : median(hanging.kinds[1].ratios)),
  },
  {
    work: '64 connections, all areas in one process, CPU of everything',
    must: atMost(1, 'ms'),
    aim: atMost(0.5, 'ms'),
    measure: (results) => inMs(level(results, 'fused', 64)?.microseconds),
  },
  {
    work: '64 connections, six services, CPU of everything',
    must: atMost(2, 'ms'),
    aim: atMost(1.2, 'ms'),
    measure: (results) => inMs(level(results, 'six', 64)?.microseconds),
  },
  {
    work: 'idle, six services',
    must: atMost(150, 'ms/s'),
    aim: atMost(80, 'ms/s'),
    measure: (results) => form(results, 'six')?.idle ?? null,
  },
  {
    work: '1 connection, six services, p50',
    must: atMost(2.5, '× the relay'),
    aim: atMost(2, '× the relay'),
    measure: (results) =>
      ratio(
        level(results, 'six', 1)?.p50,
        results.distributed?.relay.find(({ connections }) => connections === 1)?.p50,
      ),
  },
];

/** @returns {{ goal: Goal, measured: number | null, met: string }[]} `measured` null: its part, or who is compared, was left out */
export const measuredGoals = (results) =>
  GOALS.map((goal) => {
    const measured = goal.measure(results);
    return { goal, measured, met: metOf(goal, measured) };
  });

function metOf({ must, aim }, measured) {
  if (measured === null) return '–';
  if (aim !== undefined && isMet(aim, measured)) return 'aim';
  if (must === undefined) return 'not yet';
  return isMet(must, measured) ? 'yes' : '**no**';
}

const isMet = ({ is, value }, measured) => (is === 'atLeast' ? measured >= value : measured <= value);

/** As `≥ 3 × (b)`; a figure that was measured is written without its sign. */
export const boundText = (bound) =>
  bound === undefined ? '' : `${bound.is === 'atLeast' ? '≥' : '≤'} ${figure(bound)}`;
export const figure = ({ value, of }) => `${Number(value.toPrecision(3)).toLocaleString('en')} ${of}`;
