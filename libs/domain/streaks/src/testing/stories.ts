import { zoneNames } from '@laurel/calendar';
import fc from 'fast-check';
import { definitionOf, instantOf } from './streak-story.ts';
import type { StreakStory } from './streak-story.ts';

/** One event of an arbitrary story. `afterMs` is the time since the event before. */
export interface Told {
  readonly kind: 'event' | 'identified' | 'completed' | 'swept';
  readonly afterMs: number;
  readonly metric: string;
  readonly value: number;
  readonly tz?: string;
}

const HOUR_MS = 3_600_000;

const ZONES = [
  'UTC',
  'Pacific/Kiritimati',
  'Pacific/Niue',
  'Pacific/Honolulu',
  'Asia/Tokyo',
  'America/St_Johns',
  'Europe/Berlin',
];

/**
 * Zones with all offsets, in both hemispheres. Some change their clocks by half an hour, some at midnight, some never.
 */
export const CLOCKS = [
  ...['UTC', 'Europe/Berlin', 'Europe/London', 'Europe/Lisbon', 'Europe/Athens', 'Europe/Moscow', 'Africa/Cairo'],
  ...[
    'Africa/Casablanca',
    'Africa/Lagos',
    'Asia/Tokyo',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'Asia/Tehran',
    'Asia/Beirut',
  ],
  ...['Asia/Gaza', 'Australia/Lord_Howe', 'Australia/Adelaide', 'Australia/Sydney', 'Pacific/Auckland'],
  ...['Pacific/Chatham', 'Pacific/Apia', 'Pacific/Kiritimati', 'Pacific/Honolulu', 'America/Los_Angeles'],
  ...[
    'America/New_York',
    'America/St_Johns',
    'America/Havana',
    'America/Sao_Paulo',
    'America/Santiago',
    'America/Nuuk',
  ],
];

export const zones = fc.oneof(fc.constantFrom(...ZONES), fc.constantFrom(...zoneNames()));

/** Starts shortly before an irregularity of some clock, and arbitrary ones. */
export const starts = fc.oneof(
  fc
    .constantFrom('2011-12-28T12:00:00Z', '2024-03-30T12:00:00Z', '2018-11-03T12:00:00Z', '2010-11-05T12:00:00Z')
    .map(instantOf),
  fc.integer({ min: instantOf('1990-01-01T00:00:00Z'), max: instantOf('2036-01-01T00:00:00Z') }),
);

const freezes = fc
  .record({
    initial: fc.nat({ max: 3 }),
    max: fc.integer({ min: 3, max: 6 }),
    earnEvery: fc.integer({ min: 1, max: 9 }),
    earn: fc.integer({ min: 1, max: 2 }),
  })
  .chain((all) => fc.constantFrom(all, { ...all, earnEvery: null, earn: null }));

export const definitions = fc
  .record({
    frequency: fc.constantFrom('daily' as const, 'daily' as const, 'weekly' as const, 'monthly' as const),
    weekStart: fc.constantFrom('monday' as const, 'sunday' as const),
    mode: fc.constantFrom('all' as const, 'any' as const),
    conditions: fc.constantFrom<Readonly<Record<string, number>>>(
      { steps: 1 },
      { steps: 2.5 },
      { steps: 1, pages: 0.000001 },
    ),
    freezes: fc.option(freezes),
  })
  .map(definitionOf);

export const records: fc.Arbitrary<Told[]> = fc.array(
  fc.record(
    {
      kind: fc.constantFrom('event', 'event', 'event', 'identified', 'completed', 'swept'),
      afterMs: fc.oneof(fc.nat({ max: 3 * HOUR_MS }), fc.nat({ max: 60 * HOUR_MS }), fc.nat({ max: 1000 * HOUR_MS })),
      metric: fc.constantFrom('steps', 'steps', 'pages', 'other'),
      value: fc.constantFrom(1, 1, 2.5, 0.5, -1, 0),
      tz: zones,
    },
    { requiredKeys: ['kind', 'afterMs', 'metric', 'value'] },
  ),
  { maxLength: 40 },
);

/** Applies one record at an instant. */
export function tell(story: StreakStory, { kind, tz, ...event }: Told, at: number) {
  switch (kind) {
    case 'event':
      return story.event(at, { ...event, ...(tz === undefined ? {} : { tz }) });
    case 'identified':
      return story.identified(at, tz);
    case 'completed':
      return story.completed(at, tz);
    case 'swept':
      return story.swept(at);
  }
}
