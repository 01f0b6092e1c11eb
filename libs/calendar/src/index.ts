export type { Instant, LocalDate, Zone, Frequency, WeekStart, PeriodRule, Period } from './types.ts';
