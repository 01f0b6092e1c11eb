import { Counter, Gauge, Registry, collectDefaultMetrics } from 'prom-client';

/** What a process has done, as numbers that a monitor reads again and again. */
export class Metrics {
  readonly #registry = new Registry();

  constructor(process: string) {
    this.#registry.setDefaultLabels({ process });
    collectDefaultMetrics({ register: this.#registry });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /**
   * A number that is read when somebody asks.
   * @param name in the form of Prometheus, such as `laurel_records_total`; one that ends so only grows while the process lives
   */
  observe(name: string, help: string, read: () => number): void {
    const settings = { name, help, registers: [this.#registry] };
    if (!name.endsWith('_total')) {
      const gauge: Gauge = new Gauge({ ...settings, collect: () => gauge.set(read()) });
      return;
    }
    const counter: Counter = new Counter({
      ...settings,
      collect: () => {
        counter.reset();
        counter.inc(read());
      },
    });
  }
}
