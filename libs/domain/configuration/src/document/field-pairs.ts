import { addDays, addMonths, parseDate, parseInstant } from '@laurel/calendar';
import { quote } from './path.ts';
import { fieldOf, listAt, numberAt, textAt } from './place.ts';
import type { Place } from './place.ts';
import { valueFault } from './problem.ts';
import type { Fault } from './problem.ts';

/**
 * Rules of freezes: `initial` is at most `max`; `earnEvery` and `earn` are both present or both absent (specification,
 * section 4).
 */
export function freezeFaults(root: Place): Fault[] {
  const freezes = fieldOf(fieldOf(root, 'streak'), 'freezes');
  const initial = numberAt(freezes, 'initial');
  const max = numberAt(freezes, 'max');
  const excess =
    initial !== undefined && max !== undefined && initial > max
      ? [valueFault(fieldOf(freezes, 'initial').path, `expected at most max, which is ${max}, found ${initial}`)]
      : [];
  return [...excess, ...bothOrNeither(freezes, 'earnEvery', 'earn')];
}

/** A boost ends after it starts. */
export function* boostFaults(root: Place): Generator<Fault> {
  for (const boost of listAt(root, 'points').flatMap((system) => listAt(system, 'boosts'))) {
    const [start, end] = [textAt(boost, 'start'), textAt(boost, 'end')];
    const [from, until] = [parseInstant(start ?? ''), parseInstant(end ?? '')];
    if (from !== null && until !== null && until <= from)
      yield valueFault(fieldOf(boost, 'end').path, `expected an instant after start, which is ${start}, found ${end}`);
  }
}

/** Rules between fields of a leaderboard (specification, section 7). */
export function* leaderboardFaults(root: Place): Generator<Fault> {
  for (const board of listAt(root, 'leaderboards')) {
    yield* rankedByFaults(board);
    yield* bothOrNeither(board, 'runUnit', 'runInterval');
    yield* perpetualFaults(board);
    yield* endFaults(board);
    yield* runFaults(board);
  }
}

/** A window must hold an instant (specification, sections 5.8 and 6.14). */
export function windowFaults(root: Place): Fault[] {
  const triggers = listAt(root, 'points').flatMap((system) => listAt(system, 'triggers'));
  return [...listAt(root, 'achievements'), ...triggers].flatMap((place) => {
    const [from, until] = [textAt(place, 'activeFrom'), textAt(place, 'activeUntil')];
    if (from === undefined || until === undefined) return [];
    const [begins, ends] = [parseInstant(from), parseInstant(until)];
    if (begins === null || ends === null || begins < ends) return [];
    const { path } = fieldOf(place, 'activeUntil');
    return [valueFault(path, `expected an instant after activeFrom, which is ${from}, found ${until}`)];
  });
}

/** Each message must be later than the one before it (specification, section 9.21). */
export function reactivationFaults(root: Place): Fault[] {
  const days = listAt(fieldOf(fieldOf(root, 'outgoing'), 'reactivation'), 'days');
  return days.flatMap(({ path, value }, index) => {
    const before = days[index - 1]?.value;
    return typeof value === 'number' && typeof before === 'number' && value <= before
      ? [valueFault(path, `expected more than the previous number, which is ${before}, found ${value}`)]
      : [];
  });
}

const COMPANIONS = [
  { field: 'metric', of: 'metric' },
  { field: 'pointsSystem', of: 'points' },
] as const;

function rankedByFaults(board: Place): Fault[] {
  const rankBy = textAt(board, 'rankBy');
  if (rankBy === undefined || !['metric', 'points', 'streak'].includes(rankBy)) return [];
  return COMPANIONS.flatMap(({ field, of }): Fault[] => {
    const place = fieldOf(board, field);
    const isPresent = place.value !== undefined;
    if (rankBy === of && !isPresent) return [valueFault(place.path, `missing: required with rankBy ${of}`)];
    if (rankBy === of || !isPresent) return [];
    return [{ path: place.path, part: 'name', message: `allowed only with rankBy ${of}, found with rankBy ${rankBy}` }];
  });
}

function bothOrNeither(place: Place, ...names: readonly [string, string]): Fault[] {
  const [missing, ...others] = names.filter((name) => fieldOf(place, name).value === undefined);
  if (missing === undefined || others.length > 0) return [];
  const present = names.find((name) => name !== missing) ?? '';
  const { path, value } = fieldOf(place, present);
  return [
    valueFault(path, `expected both ${names.join(' and ')} or neither, found only ${present} (${String(value)})`),
  ];
}

/** A board that ranks by streak must be perpetual: a streak has a present length, and no sum within a run. */
function perpetualFaults(board: Place): Fault[] {
  const unit = fieldOf(board, 'runUnit');
  const isRefused = textAt(board, 'rankBy') === 'streak' && unit.value !== undefined;
  return isRefused
    ? [valueFault(unit.path, `expected no runUnit with rankBy streak, found ${quote(String(unit.value))}`)]
    : [];
}

function endFaults(board: Place): Fault[] {
  const start = dateAt(board, 'start');
  const end = dateAt(board, 'end');
  if (start === null || end === null || end >= start) return [];
  return [valueFault(fieldOf(board, 'end').path, `expected a date not before start, which is ${start}, found ${end}`)];
}

/** Years of dates have four digits, and a run needs a last date. */
function runFaults(board: Place): Fault[] {
  const start = dateAt(board, 'start');
  const unit = textAt(board, 'runUnit');
  const interval = numberAt(board, 'runInterval');
  if (start === null || unit === undefined || interval === undefined || isWithinCalendar(start, unit, interval))
    return [];
  const { path } = fieldOf(board, 'runInterval');
  return [valueFault(path, `expected a first run that ends before the year 10000, found ${interval} × ${quote(unit)}`)];
}

function isWithinCalendar(start: string, unit: string, interval: number): boolean {
  try {
    if (unit === 'day') addDays(start, interval);
    if (unit === 'month') addMonths(start, interval);
    if (unit === 'year') addMonths(start, 12 * interval);
    return true;
  } catch {
    return false;
  }
}

function dateAt(place: Place, name: string): string | null {
  const text = textAt(place, name);
  return text === undefined ? null : parseDate(text);
}
