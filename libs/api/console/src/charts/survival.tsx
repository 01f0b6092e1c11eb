import { Table } from '../ui/elements.tsx';
import { percent, whole, wholePercent } from '../ui/format.ts';
import { Plot } from './plot.tsx';

export interface SurvivalStep {
  readonly length: number;
  /** Number of streaks that reached the length. */
  readonly reached: number;
  /** Number of these that ended at it. */
  readonly ended: number;
}

/** The share of all streaks that reached each length: falling steps, also as a table. */
export function Survival({
  caption,
  unit,
  steps,
}: {
  readonly caption: string;
  /** The unit of a length. */
  readonly unit: string;
  readonly steps: readonly SurvivalStep[];
}) {
  const begun = Math.max(1, steps[0]?.reached ?? 1);
  const longest = Math.max(2, steps.at(-1)?.length ?? 2);
  const shareOf = (length: number) => (length - 1) / (longest - 1);
  const middle = Math.round((1 + longest) / 2);
  const half = steps.findLast(({ reached }) => reached * 2 >= begun)?.length ?? 1;
  return (
    <Plot
      label={`${caption}: half of ${whole(begun)} got to ${half}, the longest to ${longest}`}
      table={
        <div class="tall">
          <Table
            caption={caption}
            rows={steps}
            keyOf={({ length }) => length}
            columns={[
              { name: 'Length', numeric: true, cell: ({ length }) => whole(length) },
              { name: 'Got so far', numeric: true, cell: ({ reached }) => whole(reached) },
              { name: 'Of all', numeric: true, cell: ({ reached }) => percent(reached / begun) },
              { name: 'Ended there', numeric: true, cell: ({ ended }) => whole(ended) },
            ]}
          />
        </div>
      }
      ticks={[0, 0.25, 0.5, 0.75, 1]}
      tickText={wholePercent}
      marks={[
        { share: 0, text: '1' },
        ...(middle > 1 && middle < longest ? [{ share: shareOf(middle), text: whole(middle) }] : []),
        { share: 1, text: `${whole(longest)} ${unit}` },
      ]}
    >
      {({ x, y, top, bottom }) => {
        const course = steps
          .map(({ length, reached }, place) => {
            const [left, height] = [x(shareOf(length)).toFixed(1), y(reached / begun).toFixed(1)];
            return place === 0 ? `M${left} ${height}` : `H${left}V${height}`;
          })
          .join('');
        const width = Math.max(4, x(shareOf(2)) - x(0));
        return (
          <>
            <path d={`${course}L${x(shareOf(steps.at(-1)?.length ?? 1))} ${bottom}L${x(0)} ${bottom}Z`} class="below" />
            <path d={course} class="line" />
            {steps.map(({ length, reached, ended }) => (
              <rect
                key={length}
                x={x(shareOf(length)) - width / 2}
                y={top}
                width={width}
                height={bottom - top}
                class="touch"
              >
                <title>{`${whole(length)}: ${whole(reached)} got so far (${percent(reached / begun)}), ${whole(ended)} ended there`}</title>
              </rect>
            ))}
          </>
        );
      }}
    </Plot>
  );
}
