import { addDays, localDate, periodOf, type LocalDate } from '@laurel/calendar';

const HOUR = 3_600_000;

/** A recorded event of a user, as it was sent. */
export interface Entry {
  readonly type: 'event' | 'points' | 'freezes' | 'excused' | 'complete' | 'revoke' | 'correct';
  readonly id: string;
  readonly at: number;
  /** The metric of an event. */
  readonly metric: string;
  readonly value: number;
  readonly zone: string;
  /** The amount of a grant of points or freezes, or the number of excused days. */
  readonly amount: number;
  readonly boards: boolean;
  /** For a correction: the id of the event, and its new value; null for a retraction. */
  readonly corrects: string;
  readonly to: number | null;
  /** The configuration version in force, from 1. */
  readonly version: number;
}

export interface Award {
  readonly trigger: string;
  readonly times: number;
  readonly nominal: number;
  readonly change: number;
  readonly cutBy: 'trigger_cap' | 'system_cap' | 'cap' | 'zero' | null;
  readonly total: number;
  readonly at: number;
}

/** The effects of one event on the user. */
export interface Outcome {
  readonly entry: Entry;
  /** The date on the user's clock. The period that it counts in is never before an earlier one. */
  readonly date: LocalDate;
  readonly period: LocalDate;
  readonly created: boolean;
  /** The length to which it extended the streak; null if it did not. */
  readonly extendedTo: number | null;
  readonly isFiveCompleted: boolean;
  readonly awards: Readonly<Record<System, readonly Award[]>>;
  /** Sums of metric triggers after the event. */
  readonly sums: ReadonlyMap<string, { readonly sum: number; readonly high: number }>;
  /**
   * Time triggers: number of ticks since the user's last own event, and the points that they gave since the last record
   * of any kind.
   */
  readonly ticks: ReadonlyMap<
    string,
    { readonly sinceOwn: number; readonly sinceLast: number; readonly given: number }
  >;
}

export type System = 'xp' | 'energy';
const CAPS: Readonly<Record<System, number>> = { xp: 40, energy: 9 };
const TIMED = [
  { trigger: 'timehour', hours: 7, points: 2 },
  { trigger: 'timeday', hours: 24, points: -1 },
];
const METRIC_TRIGGERS = [
  { system: 'xp', trigger: 'metricLessons', metric: 'lessons', threshold: 3, points: 10 },
  { system: 'xp', trigger: 'metricWords', metric: 'words', threshold: 2, points: -4 },
  { system: 'energy', trigger: 'metricLessons', metric: 'lessons', threshold: 2, points: -4 },
] as const;
/** In the order in which they cut an award of `xp`. */
const PERIOD_CAPS = [
  { cutBy: 'trigger_cap', triggers: ['metricLessons'], points: 25, frequency: 'weekly' },
  { cutBy: 'system_cap', triggers: ['metricLessons', 'streak', 'achievement'], points: 14, frequency: 'daily' },
] as const;
const CONDITIONS: Readonly<Record<string, number>> = { lessons: 2, words: 3 };
export const STREAK_TRIGGER_LENGTH = 2;

/** The events with their corrections applied. */
export function counting(entries: readonly Entry[]): readonly Entry[] {
  const changes = new Map(entries.filter(({ type }) => type === 'correct').map(({ corrects, to }) => [corrects, to]));
  return entries.flatMap((entry) => {
    const change = changes.get(entry.id);
    if (change === undefined) return [entry];
    return change === null ? [] : [{ ...entry, value: change }];
  });
}

/**
 * Computes a user from recorded events by the specification, independently of the rules, for the configuration of the
 * law: day by day, event by event. Streaks are computed only on a clock that never changes.
 */
export class LivedUser {
  readonly outcomes: Outcome[] = [];
  readonly totals: Record<string, number> = { lessons: 0, words: 0 };
  readonly points: Record<System, number> = { xp: 0, energy: 0 };
  readonly completed = new Map<string, string>();
  readonly revoked = new Map<string, string>();
  readonly progress = new Map<LocalDate, Record<string, number>>();
  readonly metBy = new Map<LocalDate, Entry>();
  readonly bridged = new Set<LocalDate>();
  readonly keptExcused = new Set<LocalDate>();
  readonly excused = new Set<LocalDate>();
  readonly lengths = new Map<LocalDate, number>();
  readonly ends: { readonly date: LocalDate; readonly length: number }[] = [];
  length = 0;
  zone = 'UTC';
  created: number | null = null;
  #last: LocalDate | null = null;
  #freezes = 1;
  #period: LocalDate = '0000-01-01';
  readonly #sums = new Map<string, { sum: number; high: number }>();
  #ownAt = 0;
  #recordedAt = 0;
  /** The latest date of what makes its period current for caps. */
  #reached: LocalDate = '0001-01-01';
  readonly #used: { readonly cutBy: string; readonly period: LocalDate; readonly points: number }[] = [];

  constructor(entries: readonly Entry[], now: number) {
    for (const entry of counting(entries)) this.#take(entry);
    if (this.created !== null) this.#advance(localDate(now, this.zone));
  }

  #take(entry: Entry): void {
    const { type, at, id } = entry;
    const created = this.created === null;
    this.created ??= at;
    if (created) this.#ownAt = this.#recordedAt = at;
    if (type === 'correct') {
      this.#tick(at);
      this.#recordedAt = at;
      return;
    }
    if (type === 'event') this.zone = entry.zone;
    const date = localDate(at, this.zone);
    if (type === 'event' && date > this.#period) this.#period = date;
    this.#advance(date > this.#period ? date : this.#period);
    const awards: Record<System, Award[]> = { xp: [], energy: [] };
    const ticks = this.#tick(at, awards.energy);
    const give = (system: System, trigger: string, times: number, points: number) =>
      awards[system].push(this.#give(system, trigger, times, points, at));
    if (type === 'event') this.#reach(at);
    if (created) give('xp', 'user_creation', 1, 3);
    const fivesBefore = this.completed.get('five');
    let extendedTo: number | null = null;
    const complete = (key: string): void => {
      if (this.completed.has(key)) return;
      this.completed.set(key, id);
      this.revoked.delete(key);
    };
    if (type === 'event') {
      const { metric, value } = entry;
      this.totals[metric] = (this.totals[metric] ?? 0) + value;
      for (const { system, trigger, metric: of, threshold, points } of METRIC_TRIGGERS) {
        if (of !== metric) continue;
        const { sum, high } = this.#sums.get(`${system} ${trigger}`) ?? { sum: 0, high: 0 };
        const grown = { sum: sum + value, high: Math.max(high, sum + value) };
        this.#sums.set(`${system} ${trigger}`, grown);
        const times = Math.floor(grown.high / threshold) - Math.floor(high / threshold);
        if (times > 0) give(system, trigger, times, points);
      }
      const progress = { ...(this.progress.get(this.#period) ?? { lessons: 0, words: 0 }) };
      progress[metric] = (progress[metric] ?? 0) + value;
      this.progress.set(this.#period, progress);
      const isMet = Object.entries(CONDITIONS).some(([key, threshold]) => (progress[key] ?? 0) >= threshold);
      if (isMet && !this.metBy.has(this.#period)) extendedTo = this.#extend(entry);
      if (metric === 'lessons' && (this.totals['lessons'] ?? 0) >= 5) complete('five');
      if (metric === 'words' && (this.totals['words'] ?? 0) >= 2 && entry.version > 1) complete('word');
      if (extendedTo !== null && extendedTo >= 3) complete('three');
    }
    if (type === 'complete') complete('five');
    if (type === 'revoke' && this.completed.delete('five')) this.revoked.set('five', id);
    if (type !== 'points' && type !== 'freezes' && type !== 'excused' && type !== 'revoke')
      if (this.completed.has('five') && this.completed.has('three')) complete('both');
    const isFiveCompleted = this.completed.get('five') === id && fivesBefore !== id;
    if (extendedTo !== null && extendedTo % STREAK_TRIGGER_LENGTH === 0) give('xp', 'streak', 1, 5);
    if (isFiveCompleted) give('xp', 'achievement', 1, 20);
    if (type === 'points') give('xp', 'grant', 1, entry.amount);
    if (type === 'freezes') this.#freezes = Math.max(this.#freezes, Math.min(2, this.#freezes + entry.amount));
    if (type === 'excused') for (let day = 0; day < entry.amount; day++) this.excused.add(addDays(date, day));
    this.#ownAt = this.#recordedAt = at;
    const sums = new Map(this.#sums);
    this.outcomes.push({
      ...{ entry, date, period: this.#period, created, extendedTo, isFiveCompleted, awards, sums, ticks },
    });
  }

  #extend(entry: Entry): number {
    this.metBy.set(this.#period, entry);
    this.length++;
    this.#last = this.#period;
    this.lengths.set(this.#period, this.length);
    return this.length;
  }

  /** Advances to the beginning of a date. */
  #advance(date: LocalDate): void {
    while (this.#last !== null && this.length > 0) {
      const next = addDays(this.#last, 1);
      if (next >= date) return;
      if (this.excused.has(next)) this.keptExcused.add(next);
      else if (this.#freezes > 0) {
        this.#freezes--;
        this.bridged.add(next);
      } else {
        this.ends.push({ date: next, length: this.length });
        this.length = 0;
        return;
      }
      this.#last = next;
      this.lengths.set(next, this.length);
    }
  }

  #tick(at: number, given: Award[] = []) {
    const created = this.created ?? at;
    const due = TIMED.flatMap(({ trigger, hours, points }) => {
      const instants: number[] = [];
      for (let tick = created + hours * HOUR; tick <= at; tick += hours * HOUR)
        if (tick > this.#ownAt) instants.push(tick);
      return instants.map((instant) => ({ trigger, points, instant }));
    }).sort((one, other) => one.instant - other.instant);
    for (const { trigger, points, instant } of due) {
      if (instant <= this.#recordedAt) continue;
      const award = this.#give('energy', trigger, 1, points, instant);
      if (award.change === 0) continue;
      this.#reach(instant);
      given.push(award);
    }
    return new Map(
      TIMED.map(({ trigger }) => {
        const own = due.filter((one) => one.trigger === trigger);
        const sinceLast = own.filter(({ instant }) => instant > this.#recordedAt).length;
        return [
          trigger,
          { sinceOwn: own.length, sinceLast, given: given.filter((one) => one.trigger === trigger).length },
        ];
      }),
    );
  }

  #give(system: System, trigger: string, times: number, points: number, at: number): Award {
    const before = this.points[system];
    const nominal = times * points;
    let left = nominal;
    let cutBy: Award['cutBy'] = null;
    const cut = (to: number, by: Award['cutBy']) => {
      if (left !== to) [left, cutBy] = [to, by];
    };
    const caps = system === 'xp' && nominal > 0 ? this.#capsOn(trigger, at) : [];
    for (const { room, ...cap } of caps) cut(Math.min(left, room), cap.cutBy);
    const total = Math.min(CAPS[system], Math.max(0, before + left));
    cut(total - before, nominal > 0 ? 'cap' : 'zero');
    this.points[system] = total;
    if (left !== 0 && (caps.length > 0 || trigger === 'grant')) this.#reach(at);
    if (left > 0) for (const { cutBy: by, period } of caps) this.#used.push({ cutBy: by, period, points: left });
    return { trigger, times, nominal, change: left, cutBy, total, at };
  }

  /** The room of each cap in the present period. */
  #capsOn(trigger: string, at: number) {
    const on = localDate(at, this.zone);
    return PERIOD_CAPS.filter(({ triggers }) => triggers.some((capped) => capped === trigger)).map((cap) => {
      const date = on > this.#reached ? on : this.#reached;
      const { start } = periodOf(date, { frequency: cap.frequency, weekStart: 'monday' });
      const used = this.#used.filter(({ cutBy, period }) => cutBy === cap.cutBy && period === start);
      return { cutBy: cap.cutBy, period: start, room: cap.points - used.reduce((sum, one) => sum + one.points, 0) };
    });
  }

  #reach(at: number): void {
    const date = localDate(at, this.zone);
    if (date > this.#reached) this.#reached = date;
  }
}
