/** An instant in whole milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

/** A calendar date, `YYYY-MM-DD`. Dates compare as strings. */
export type LocalDate = string;

/** A zone or link name of the IANA time zone database, or `UTC`. */
export type Zone = string;

export type Frequency = 'daily' | 'weekly' | 'monthly';
export type WeekStart = 'monday' | 'sunday';

/** How the calendar is cut into periods. `weekStart` matters to weekly periods only. */
export interface PeriodRule {
  readonly frequency: Frequency;
  readonly weekStart: WeekStart;
}

/** A period, by its first and its last date, both inclusive. */
export interface Period {
  readonly start: LocalDate;
  readonly end: LocalDate;
}
