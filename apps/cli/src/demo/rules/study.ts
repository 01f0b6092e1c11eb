import { addDays, daysBetween, endOfDate, type Instant, type LocalDate, type Zone } from '@laurel/calendar';
import type { DayRange, Learner } from './learner.ts';
import { between, chance, type Random } from './random.ts';

/** A finished lesson or learned words, with the place. */
export interface StudyEvent {
  readonly metric: 'lessons' | 'words';
  readonly value: number;
  readonly at: Instant;
  /** The zone of the learner's clock at that place. */
  readonly zone: Zone;
}

const MINUTE_MS = 60_000;
const MONDAY: LocalDate = '2024-01-01';

/** A learner's lessons on the dates of the learner's clock from `first` on, in order of time. */
export function studyOf(random: Random, learner: Learner, first: LocalDate, days: number): readonly StudyEvent[] {
  const events: StudyEvent[] = [];
  for (let day = learner.joins; day <= days; day++) {
    const date = addDays(first, day);
    if (studiesOn(random, learner, day, date)) events.push(...sessionOf(random, learner, day, date));
  }
  return events.sort((one, other) => one.at - other.at);
}

/** Whether the learner studies on the day. The first day always has a lesson; afterwards, habits decide. */
function studiesOn(random: Random, learner: Learner, day: number, date: LocalDate): boolean {
  const wants = chance(random, learner.week[weekdayOf(date)] ?? 0);
  if (day === learner.joins) return true;
  return wants && !learner.away.some((range) => holds(range, day)) && !isFlying(learner, day);
}

const weekdayOf = (date: LocalDate): number => ((daysBetween(MONDAY, date) % 7) + 7) % 7;

const holds = ({ from, to }: DayRange, day: number): boolean => from <= day && day <= to;

const isFlying = ({ trips }: Learner, day: number): boolean =>
  trips.some(({ from, to }) => day === from || day === to + 1);

/** Consecutive lessons, each with the words learned in it. */
function sessionOf(random: Random, learner: Learner, day: number, date: LocalDate): StudyEvent[] {
  const zone = learner.trips.find((trip) => holds(trip, day))?.zone ?? learner.home;
  const spread = between(random, -learner.spreadMinutes, learner.spreadMinutes);
  let minute = Math.max(0, learner.usualMinute + spread);
  const midnight = endOfDate(addDays(date, -1), zone);
  const events: StudyEvent[] = [];
  for (let lesson = between(random, 1, learner.mostLessons); lesson > 0; lesson--) {
    const at = midnight + minute * MINUTE_MS + between(random, 0, 59_999);
    events.push({ metric: 'lessons', value: 1, at, zone });
    if (chance(random, 0.85)) events.push({ metric: 'words', value: between(random, 3, 15), at: at + 30_000, zone });
    minute += between(random, 6, 15);
  }
  return events;
}
