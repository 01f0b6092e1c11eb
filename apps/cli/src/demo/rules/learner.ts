import type { Zone } from '@laurel/calendar';
import { nameOf } from './names.ts';
import { between, chance, pick, pickWeighted, type Random } from './random.ts';

/** A range of days, numbered from the first day of the history, both included. */
export interface DayRange {
  readonly from: number;
  readonly to: number;
}

export interface Trip extends DayRange {
  readonly zone: Zone;
}

/** A learner with study habits. */
export interface Learner {
  readonly id: string;
  readonly name: string;
  readonly home: Zone;
  /** The day on which the learner begins. */
  readonly joins: number;
  /** Probability of studying, by days since Monday. */
  readonly week: readonly number[];
  /** The usual time of study, in minutes after local midnight; beyond 1,439 on the next date. */
  readonly usualMinute: number;
  /** The largest deviation from the usual time. */
  readonly spreadMinutes: number;
  readonly mostLessons: number;
  /** Days without study, regardless of habits. */
  readonly away: readonly DayRange[];
  readonly trips: readonly Trip[];
}

/** Excludes zones such as Pacific/Fiji: their midnight is noon of UTC, when demos usually begin. */
const ZONES = [
  'Europe/London',
  'Europe/Berlin',
  'Europe/Lisbon',
  'Africa/Lagos',
  'America/New_York',
  'America/Los_Angeles',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Pacific/Auckland',
  'Pacific/Honolulu',
] as const;

const daily = (probability: number): readonly number[] => Array.from({ length: 7 }, () => probability);
const HABITS = {
  steady: daily(0.96),
  weekdays: [0.9, 0.92, 0.9, 0.88, 0.8, 0.12, 0.08],
  weekends: [0.08, 0.06, 0.08, 0.1, 0.3, 0.92, 0.9],
  now_and_then: daily(0.35),
} as const;

export function learnerOf(random: Random, number: number, days: number): Learner {
  const nightOwl = chance(random, 0.15);
  const home = pick(random, ZONES);
  const joins = chance(random, 0.4) ? 0 : between(random, 0, Math.floor((days - 1) * 0.9));
  return {
    id: `demo-${String(number).padStart(3, '0')}`,
    name: nameOf(random),
    home,
    joins,
    week: HABITS[pickHabit(random)],
    usualMinute: nightOwl ? between(random, 22 * 60 + 45, 24 * 60) : between(random, 6 * 60 + 30, 21 * 60 + 30),
    spreadMinutes: nightOwl ? 75 : pick(random, [20, 60, 180]),
    mostLessons: pickWeighted(random, [
      [1, 3],
      [2, 4],
      [4, 2],
      [7, 1],
    ]),
    away: absences(random, joins, days),
    trips: chance(random, 0.12) ? trips(random, home, joins, days) : [],
  };
}

const pickHabit = (random: Random): keyof typeof HABITS =>
  pickWeighted(random, [
    ['steady', 3],
    ['weekdays', 4],
    ['weekends', 1],
    ['now_and_then', 3],
  ]);

/** Some learners give up for good, others return after a while. */
function absences(random: Random, joins: number, days: number): readonly DayRange[] {
  const from = between(random, joins + 3, days + 3);
  const course = pickWeighted(random, [
    ['goes on', 6],
    ['gives up', 2],
    ['returns', 2],
  ]);
  switch (course) {
    case 'goes on':
      return [];
    case 'gives up':
      return [{ from, to: Infinity }];
    case 'returns':
      return [{ from, to: from + between(random, 4, 20) }];
  }
}

/** Trips of some days each, with time in between, because somebody who has just landed does not study. */
function trips(random: Random, home: Zone, joins: number, days: number): readonly Trip[] {
  const journeys: Trip[] = [];
  for (let day = joins + between(random, 2, 12); day < days;) {
    const to = day + between(random, 3, 10);
    const zone = pick(random, ZONES);
    if (zone !== home) journeys.push({ from: day, to, zone });
    day = to + between(random, 8, 25);
  }
  return journeys;
}
