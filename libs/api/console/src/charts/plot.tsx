import type { ComponentChildren } from 'preact';
import { useCallback, useMemo, useState } from 'preact/hooks';
import { ChartFigure } from './chart-figure.tsx';

const HEIGHT = 220;
const LEFT = 52;
const BOTTOM = 24;
const TOP = 10;
const RIGHT = 10;
/** Used until the available width is known. */
const USUAL_WIDTH = 560;
const LEAST_WIDTH = 240;

/** Coordinates in pixels. */
export interface Frame {
  /** @param share from 0 (left) to 1 (right) */
  readonly x: (share: number) => number;
  readonly y: (value: number) => number;
  readonly top: number;
  readonly bottom: number;
}

export interface PlotProps {
  /** A sentence that describes the chart. */
  readonly label: string;
  readonly table: ComponentChildren;
  /** Values of the horizontal lines, lowest first. */
  readonly ticks: readonly number[];
  readonly tickText: (value: number) => string;
  /** Texts below the chart: one at each end, and some in between. */
  readonly marks: readonly { readonly share: number; readonly text: string }[];
  readonly children: (frame: Frame) => ComponentChildren;
}

/** A frame with a scale, and names below it. It fills the available width without scaling its text. */
export function Plot({ label, table, ticks, tickText, marks, children }: PlotProps) {
  const [room, width] = useWidth();
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1];
  const bottom = HEIGHT - BOTTOM;
  const x = (share: number) => LEFT + (width - LEFT - RIGHT) * share;
  const y = (value: number) => TOP + ((bottom - TOP) * (high - value)) / (high - low);
  return (
    <ChartFigure table={table}>
      <div ref={room}>
        <svg viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label}>
          {ticks.map((tick) => (
            <g key={tick} transform={`translate(0 ${y(tick).toFixed(1)})`}>
              <line x1={LEFT} x2={width - RIGHT} class="rule" />
              <text x={LEFT - 8} y={4} class="bar-label">
                {tickText(tick)}
              </text>
            </g>
          ))}
          {children({ x, y, top: TOP, bottom })}
          {marks.map(({ share, text }, n) => (
            <text
              key={n}
              x={x(share)}
              y={HEIGHT - 4}
              class={`day ${share === 0 ? 'first' : share === 1 ? 'last' : 'middle'}`}
            >
              {text}
            </text>
          ))}
        </svg>
      </div>
    </ChartFigure>
  );
}

/** The width of an element, kept up to date. */
export function useWidth() {
  const [width, setWidth] = useState(USUAL_WIDTH);
  const observer = useMemo(
    () =>
      new ResizeObserver(([entry]) => {
        if (entry !== undefined) setWidth(Math.max(LEAST_WIDTH, Math.round(entry.contentRect.width)));
      }),
    [],
  );
  const room = useCallback(
    (element: HTMLElement | null) => {
      observer.disconnect();
      if (element !== null) observer.observe(element);
    },
    [observer],
  );
  return [room, width] as const;
}

/** Round numbers from `low` or less to `high` or more; whole numbers if requested. */
export function ticksOf(low: number, high: number, wholeOnly = false): readonly number[] {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const fitting = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const step = wholeOnly ? Math.max(1, fitting) : fitting;
  const first = Math.floor(low / step) * step;
  return Array.from({ length: Math.ceil((high - first) / step) + 1 }, (_, n) => first + n * step);
}

/** The first, the middle and the last item. */
export function threeOf<T>(all: readonly T[], textOf: (one: T) => string): PlotProps['marks'] {
  const last = all.length - 1;
  const places = last < 2 ? [...all.keys()] : [0, Math.floor(last / 2), last];
  return places.map((place) => ({ share: last <= 0 ? 0 : place / last, text: textOf(all[place] as T) }));
}
