import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { MetricsAccess } from './environment/variable-parsers.ts';

/** One value of a metric, with the labels that distinguish it. */
export interface LabelledValue<Label extends string> {
  readonly labels: Readonly<Record<Label, string | number>>;
  readonly value: number;
}

export interface MetricName {
  /**
   * A name for Prometheus, such as `laurel_records_total`. A metric whose name ends in `_total` only increases while
   * the process lives.
   */
  readonly name: string;
  readonly help: string;
}

/** The metrics of a process, for a monitor that reads them repeatedly. */
export class Metrics {
  /** Who may read them over HTTP. */
  readonly access: MetricsAccess;
  readonly #registry = new Registry();

  constructor(process: string, access: MetricsAccess = 'public') {
    this.access = access;
    this.#registry.setDefaultLabels({ process });
    collectDefaultMetrics({ register: this.#registry });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** A number that is computed for each read; null if it is unknown, and the series is then missing. */
  observe(name: string, help: string, read: () => number | null): void {
    this.observeEach({ name, help }, [], () => {
      const value = read();
      return value === null ? [] : [{ labels: {}, value }];
    });
  }

  /** Numbers that are computed for each read, one for each combination of labels, of which there must be few. */
  observeEach<Label extends string>(
    { name, help }: MetricName,
    labelNames: readonly Label[],
    read: () => Iterable<LabelledValue<Label>>,
  ): void {
    const settings = { name, help, labelNames, registers: [this.#registry] };
    if (name.endsWith('_total')) {
      const counter: Counter<Label> = new Counter({
        ...settings,
        collect: () => {
          counter.reset();
          for (const { labels, value } of read()) counter.inc(labels, value);
        },
      });
      return;
    }
    const gauge: Gauge<Label> = new Gauge({
      ...settings,
      collect: () => {
        gauge.reset();
        // Without labels, a reset would set the value to 0 instead of removing it.
        if (labelNames.length === 0) gauge.remove();
        for (const { labels, value } of read()) gauge.set(labels, value);
      },
    });
  }

  /** A histogram with `buckets` (upper limits). @returns a function that adds a value. */
  spread(metric: MetricName, buckets: readonly number[]): (value: number) => void {
    const histogram = new Histogram({ ...metric, buckets: [...buckets], registers: [this.#registry] });
    return (value) => histogram.observe(value);
  }

  /** Like {@link spread}, for each combination of labels, of which there must be few. */
  spreadEach<Label extends string>(
    metric: MetricName,
    labelNames: readonly Label[],
    buckets: readonly number[],
  ): (labels: Readonly<Record<Label, string | number>>, value: number) => void {
    const settings = { ...metric, labelNames, buckets: [...buckets], registers: [this.#registry] };
    const histogram = new Histogram<Label>(settings);
    return (labels, value) => histogram.observe(labels, value);
  }
}
