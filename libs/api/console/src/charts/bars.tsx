import { Table } from '../ui/elements.tsx';
import { whole } from '../ui/format.ts';
import { ChartFigure } from './chart-figure.tsx';
import { useWidth } from './plot.tsx';

interface Bar {
  readonly label: string;
  readonly value: number;
}

const ROW = 28;
const LABEL = 120;
const NUMBER = 60;

/** Horizontal bars with their numbers, also as a table. */
export function Bars({
  caption,
  unit,
  bars,
}: {
  readonly caption: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
}) {
  const [room, width] = useWidth();
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const lengthOf = (value: number) => ((width - LABEL - NUMBER) * value) / most;
  return (
    <ChartFigure
      table={
        <Table
          caption={caption}
          rows={bars}
          keyOf={({ label }) => label}
          columns={[
            { name: 'Range', cell: ({ label }) => label },
            { name: unit, numeric: true, cell: ({ value }) => whole(value) },
          ]}
        />
      }
    >
      <div ref={room}>
        <svg viewBox={`0 0 ${width} ${bars.length * ROW}`} role="img" aria-label={`${caption}: ${sentenceOf(bars)}`}>
          {bars.map(({ label, value }, row) => (
            <g key={label} transform={`translate(0 ${row * ROW})`}>
              <text x={LABEL - 8} y={18} class="bar-label">
                {label}
              </text>
              <rect x={LABEL} y={5} width={value === 0 ? 0 : Math.max(2, lengthOf(value))} height={ROW - 10} rx={3} />
              <text x={LABEL + lengthOf(value) + 8} y={18} class="bar-value">
                {whole(value)}
              </text>
            </g>
          ))}
        </svg>
      </div>
    </ChartFigure>
  );
}

const sentenceOf = (bars: readonly Bar[]): string =>
  bars.map(({ label, value }) => `${label} ${whole(value)}`).join(', ');
