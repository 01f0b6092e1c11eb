import { Table, When } from '../ui/elements.tsx';
import { dayText, exact, whole } from '../ui/format.ts';
import { Plot, ticksOf } from './plot.tsx';

export interface RankChange {
  readonly at: string;
  /** 1 is the top; null if the user is not ranked. */
  readonly rank: number | null;
  readonly value: number;
}

interface RanksProps {
  readonly caption: string;
  /** At least one, oldest first. */
  readonly changes: readonly RankChange[];
  /** The end of the last rank's line, in milliseconds. */
  readonly until: number;
  readonly zone: string;
}

/**
 * A rank over time, with rank 1 at the top. It is drawn in steps, because a rank lasts until it changes; also available
 * as a table.
 */
export function Ranks({ caption, changes, until, zone }: RanksProps) {
  const ranks = changes.flatMap(({ rank }) => (rank === null ? [] : [rank]));
  const worst = Math.max(2, ...ranks);
  const from = Date.parse(changes[0]?.at ?? '');
  // On the user's clock, a run may last hours longer than its last day in UTC.
  const to = Math.max(until, Date.parse(changes.at(-1)?.at ?? ''), from + 1);
  const shareOf = (ms: number) => (ms - from) / (to - from);
  const last = changes.at(-1)?.rank ?? null;
  return (
    <Plot
      label={`${caption}: ${last === null ? 'not ranked' : `rank ${whole(last)}`} at the end, ${
        ranks.length === 0 ? 'never ranked' : `rank ${whole(Math.min(...ranks))} at best`
      }`}
      table={
        <div class="tall">
          <Table
            caption={caption}
            rows={changes.toReversed()}
            keyOf={({ at, value }) => `${at} ${value}`}
            columns={[
              { name: 'When', cell: ({ at }) => <When at={at} zone={zone} /> },
              { name: 'Rank', numeric: true, cell: ({ rank }) => (rank === null ? 'none' : whole(rank)) },
              { name: 'Value', numeric: true, cell: ({ value }) => exact(value) },
            ]}
          />
        </div>
      }
      ticks={[...new Set(ticksOf(0, worst, true).map((tick) => Math.max(1, tick)))].toReversed()}
      tickText={whole}
      marks={[
        { share: 0, text: dayText(new Date(from).toISOString().slice(0, 10)) },
        { share: 1, text: dayText(new Date(to).toISOString().slice(0, 10)) },
      ]}
    >
      {({ x, y }) => (
        <>
          <path
            class="line"
            d={changes
              .map(({ at, rank }, place) => {
                if (rank === null) return '';
                const [left, height] = [x(shareOf(Date.parse(at))).toFixed(1), y(rank).toFixed(1)];
                const next = changes[place + 1];
                const right = x(next === undefined ? 1 : shareOf(Date.parse(next.at))).toFixed(1);
                const joins = (changes[place - 1]?.rank ?? null) !== null;
                return `${joins ? `V${height}` : `M${left} ${height}`}H${right}`;
              })
              .join('')}
          />
          {changes.map(
            ({ at, rank, value }) =>
              rank !== null && (
                <circle key={`${at} ${value}`} cx={x(shareOf(Date.parse(at)))} cy={y(rank)} r={4} class="dot">
                  <title>{`rank ${whole(rank)} with ${exact(value)}, ${at}`}</title>
                </circle>
              ),
          )}
        </>
      )}
    </Plot>
  );
}
