import { formatInstant } from '@laurel/calendar';
import type { AreaName, Occasion, AreaTable, DigestSql, Migration, Row } from '@laurel/kernel';

/**
 * Holds what each recorded event caused: a row for each user that it affects, with columns for each area (ADR 0022). An area fills its
 * own columns with the event, or later if it was halted.
 */
export const EFFECTS_TABLE = 'effects';

/**
 * By area. The column with the name of the area holds its effects as JSON text. `event_id` is set if the event itself awarded points,
 * whose ids derive from it; `systems` has the numbers of the systems with awards, ascending: `1`, `1,2`.
 */
const COLUMNS_OF = {
  users: ['users'],
  streaks: ['streaks'],
  achievements: ['achievements'],
  points: ['points', 'event_id', 'systems'],
} as const satisfies Readonly<Partial<Record<AreaName, readonly string[]>>>;

type EffectColumn = (typeof COLUMNS_OF)[keyof typeof COLUMNS_OF][number];

/** The columns that one area fills in a row of {@link EFFECTS}; an absent column belongs to another area, or is empty. */
export type EffectColumns = Readonly<Partial<Record<EffectColumn, string>>>;

export const effectsRow = ({ subject, position, occurredAt }: Occasion, columns: EffectColumns): Row => ({
  subject,
  position,
  occurred_at: formatInstant(occurredAt),
  ...columns,
});

/** The columns that an area fills; none if it emits no effects. */
export const effectColumnsOf = (area: AreaName): readonly EffectColumn[] =>
  (COLUMNS_OF as Readonly<Partial<Record<AreaName, readonly EffectColumn[]>>>)[area] ?? [];

/** @param digest hashes the area's own columns: see `AreaTable.digest` */
export const effectsTable = (digest: AreaTable['digest'] & {}): AreaTable => ({
  name: EFFECTS_TABLE,
  onConflict: `on conflict (subject, position) do update
    set ${Object.values(COLUMNS_OF)
      .flat()
      .map((column) => `${column} = coalesce(excluded.${column}, effects.${column})`)
      .join(', ')}`,
  merge: {
    keyOf: ({ subject, position }) => `${subject as number} ${position as number}`,
    combine: (earlier, later) => ({ ...earlier, ...later }),
    withinEvent: (earlier, later) =>
      earlier['position'] === later['position'] && earlier['subject'] === later['subject'],
    absorb: (earlier, later) => void Object.assign(earlier, later),
  },
  digest,
});

/** The values of a column in the rows of the account ($1). @param which condition for the rows; default: the column has a value */
export const effectsDigest =
  (column: EffectColumn, which = `e.${column} is not null`) =>
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
