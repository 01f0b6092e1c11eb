import { formatInstant } from '@laurel/calendar';
import type { AreaName, Occasion, AreaTable, DigestSql, Migration, Row } from '@laurel/kernel';

/**
 * What each recorded event caused: a row for each user that it affects, with a column for each area (ADR 0022). The areas share the
 * table. Each fills its own columns: with the event, or later if it was halted.
 */
export const EFFECTS = 'effects';

/** The columns of an area in a row of {@link EFFECTS}; those left out are another area's, or empty. */
export interface EffectColumns {
  /** The effects as JSON text: see the codec of each area. */
  readonly users?: string;
  readonly streaks?: string;
  readonly achievements?: string;
  readonly points?: string;
  /** Where the event itself awarded points, whose ids derive from it. */
  readonly event_id?: string;
  /** Numbers of the systems that points were awarded in, ascending: `1`, `1,2`. */
  readonly systems?: string;
}

export const effectsRow = ({ subject, position, occurredAt }: Occasion, columns: EffectColumns): Row => ({
  subject,
  position,
  occurred_at: formatInstant(occurredAt),
  ...columns,
});

const COLUMNS_OF: Readonly<Partial<Record<AreaName, readonly (keyof EffectColumns)[]>>> = {
  users: ['users'],
  streaks: ['streaks'],
  achievements: ['achievements'],
  points: ['points', 'event_id', 'systems'],
};

/** The columns that an area fills; none if it emits no effects. */
export const effectColumnsOf = (area: AreaName): readonly (keyof EffectColumns)[] => COLUMNS_OF[area] ?? [];

const COLUMNS = ['event_id', 'users', 'streaks', 'achievements', 'points', 'systems'] as const;

/** @param digest of the area's own columns: see `AreaTable.digest` */
export const effectsTable = (digest: AreaTable['digest'] & {}): AreaTable => ({
  name: EFFECTS,
  onConflict: `on conflict (subject, position) do update
    set ${COLUMNS.map((column) => `${column} = coalesce(excluded.${column}, effects.${column})`).join(', ')}`,
  merge: {
    keyOf: ({ subject, position }) => `${subject as number} ${position as number}`,
    combine: (earlier, later) => ({ ...earlier, ...later }),
    withinEvent: (earlier, later) =>
      earlier['position'] === later['position'] && earlier['subject'] === later['subject'],
    absorb: (earlier, later) => void Object.assign(earlier, later),
  },
  digest,
});

/** The values of a column in the rows of the account ($1). @param which of the rows; absent: where the area has caused anything */
export const effectsDigest =
  (column: keyof EffectColumns, which = `e.${column} is not null`) =>
  ({ ofUsers }: DigestSql): string => `
    select row(u.user_id, e.position, e.occurred_at, e.${column})::text as value
    from effects e ${ofUsers} and ${which}`;

export const effectsMigration: Migration = {
  name: '0105-effects',
  sql: `
-- What each recorded event caused, for each user that it affects.
create table effects (
  subject      bigint not null,
  position     bigint not null,
  occurred_at  timestamptz(3) not null,
  event_id     uuid,
  users        text,
  streaks      text,
  achievements text,
  points       text,
  systems      text collate "C",
  primary key (subject, position)
);

-- For the newest awards of one system. By stretches of 1,024 positions, as awards that follow each other then share one entry: it takes a
-- third of what an entry for each position takes.
create index effects_systems on effects (subject, systems, (position >> 10)) where systems is not null;
`,
};
