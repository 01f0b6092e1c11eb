import { Table } from '../ui/elements.tsx';
import { dayText, exact, short } from '../ui/format.ts';
import { Plot, threeOf, ticksOf } from './plot.tsx';

export interface Point {
  readonly date: string;
  readonly value: number;
}

interface ByDayProps {
  readonly caption: string;
  readonly unit: string;
  /** One point per day, oldest first. */
  readonly points: readonly Point[];
}

/** A line with one value per day and a scale, also available as a table. */
export function Line({ caption, unit, points }: ByDayProps) {
  const values = points.map(({ value }) => value);
  const share = (place: number) => place / Math.max(1, points.length - 1);
  return (
    <Plot
      label={`${caption}: ${exact(values.at(-1) ?? 0)} at the end`}
      table={<DayTable {...{ caption, unit, points }} />}
      ticks={ticksFor(values)}
      tickText={short}
      marks={threeOf(points, ({ date }) => dayText(date))}
    >
      {({ x, y, top, bottom }) => {
        const course = points
          .map(({ value }, place) => `${place === 0 ? 'M' : 'L'}${x(share(place)).toFixed(1)} ${y(value).toFixed(1)}`)
          .join('');
        return (
          <>
            <path d={`${course}L${x(1).toFixed(1)} ${bottom}L${x(0)} ${bottom}Z`} class="below" />
            <path d={course} class="line" />
            {points.map(({ date, value }, place) => (
              <rect key={date} x={x(share(place)) - 4} y={top} width={8} height={bottom - top} class="touch">
                <title>{`${date}: ${exact(value)} ${unit}`}</title>
              </rect>
            ))}
          </>
        );
      }}
    </Plot>
  );
}

/** Columns with one sum per day, also available as a table. */
export function Columns({ caption, unit, points }: ByDayProps) {
  const values = points.map(({ value }) => value);
  const sum = values.reduce((so, value) => so + value, 0);
  const step = 1 / Math.max(1, points.length);
  return (
    <Plot
      label={`${caption}: ${exact(sum)} ${unit} in ${points.length} days, ${exact(values.at(-1) ?? 0)} on the last`}
      table={<DayTable {...{ caption, unit, points }} />}
      ticks={ticksFor(values)}
      tickText={short}
      marks={threeOf(points, ({ date }) => dayText(date))}
    >
      {({ x, y, top, bottom }) => (
        <>
          {values.every((value) => value === 0) && (
            <text x={x(0.5)} y={(top + bottom) / 2} class="day middle">
              {`No ${unit} in these ${points.length} days`}
            </text>
          )}
          {points.map(({ date, value }, place) => {
            const left = x(place * step);
            const width = x(step) - x(0);
            const gap = Math.min(2, width * 0.25);
            const [from, to] = [y(Math.max(0, value)), y(Math.min(0, value))];
            return (
              <g key={date}>
                {value !== 0 && (
                  <rect
                    x={left + gap / 2}
                    y={from}
                    width={width - gap}
                    height={Math.max(1, to - from)}
                    rx={Math.min(2, width / 4)}
                  />
                )}
                <rect x={left} y={top} width={width} height={bottom - top} class="touch">
                  <title>{`${date}: ${exact(value)} ${unit}`}</title>
                </rect>
              </g>
            );
          })}
        </>
      )}
    </Plot>
  );
}

/** Whole ticks for counts, because events are not divisible. */
const ticksFor = (values: readonly number[]): readonly number[] =>
  ticksOf(Math.min(0, ...values), Math.max(1, ...values), values.every(Number.isInteger));

const DayTable = ({ caption, unit, points }: ByDayProps) => (
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
);
