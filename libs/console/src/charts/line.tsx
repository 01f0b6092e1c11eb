import { Table } from '../ui/elements.tsx';
import { exact, short } from '../ui/format.ts';
import { ChartFigure } from './chart-figure.tsx';

export interface Point {
  readonly date: string;
  readonly value: number;
}

const WIDTH = 560;
const HEIGHT = 220;
const LEFT = 48;
const BOTTOM = 24;
const TOP = 10;
const RIGHT = 10;

/** A value by day: a line with its scale, the last value beside it, and the same as a table. */
export function Line({
  caption,
  unit,
  points,
}: {
  readonly caption: string;
  readonly unit: string;
  readonly points: readonly Point[];
}) {
  const values = points.map(({ value }) => value);
  const ticks = ticksOf(Math.min(0, ...values), Math.max(1, ...values));
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const x = (place: number) => LEFT + ((WIDTH - LEFT - RIGHT) * place) / Math.max(1, points.length - 1);
  const y = (value: number) => TOP + ((HEIGHT - TOP - BOTTOM) * (high - value)) / (high - low);
  const course = points.map(
    ({ value }, place) => `${place === 0 ? 'M' : 'L'}${x(place).toFixed(1)} ${y(value).toFixed(1)}`,
  );
  const marks = [0, Math.floor((points.length - 1) / 2), points.length - 1];
  return (
    <ChartFigure
      table={
        <div class="tall">
          <Table
            caption={caption}
            rows={points.toReversed()}
            keyOf={({ date }) => date}
            columns={[
              { name: 'Day', cell: ({ date }) => date },
              { name: unit, numeric: true, cell: ({ value }) => exact(value) },
            ]}
          />
        </div>
      }
    >
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${caption}: ${exact(values.at(-1) ?? 0)} at the end`}
      >
        {ticks.map((tick) => (
          <g key={tick} transform={`translate(0 ${y(tick).toFixed(1)})`}>
            <line x1={LEFT} x2={WIDTH - RIGHT} class="rule" />
            <text x={LEFT - 8} y={4} class="bar-label">
              {short(tick)}
            </text>
          </g>
        ))}
        <path d={`${course.join('')}L${x(points.length - 1).toFixed(1)} ${y(low)}L${LEFT} ${y(low)}Z`} class="below" />
        <path d={course.join('')} class="line" />
        {marks.map((place, n) => (
          <text key={n} x={x(place)} y={HEIGHT - 4} class={`day ${['first', 'middle', 'last'][n] ?? ''}`}>
            {points[place]?.date}
          </text>
        ))}
        {points.map(({ date, value }, place) => (
          <rect key={date} x={x(place) - 4} y={TOP} width={8} height={HEIGHT - TOP - BOTTOM} class="touch">
            <title>{`${date}: ${exact(value)} ${unit}`}</title>
          </rect>
        ))}
      </svg>
    </ChartFigure>
  );
}

/** Round numbers from at most `low` to at least `high`. */
function ticksOf(low: number, high: number): readonly number[] {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.floor(low / step) * step;
  return Array.from({ length: Math.ceil((high - first) / step) + 1 }, (_, n) => first + n * step);
}
