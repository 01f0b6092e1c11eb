import { Gauge, Registry, collectDefaultMetrics } from 'prom-client';

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

  /** A number that is read when somebody asks. @param name in the form of Prometheus, such as `laurel_records_total` */
  observe(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({ name, help, registers: [this.#registry], collect: () => gauge.set(read()) });
  }
}
