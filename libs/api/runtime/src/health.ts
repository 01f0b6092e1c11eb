import { errorCode, type Clock } from '@laurel/ports';

/**
 * The health of a component. `detail` is shown to everybody who can reach the port, so it contains no secrets and no
 * user data.
 */
export interface ComponentHealth {
  readonly ok: boolean;
  readonly detail?: Readonly<Record<string, unknown>>;
}

export type HealthCheck = () => ComponentHealth | Promise<ComponentHealth>;

/**
 * Why this process must be restarted to recover, or null. Called for each `/healthz`, so it must answer from memory.
 */
export type LivenessCheck = () => string | null;

export interface HealthReport {
  readonly ok: boolean;
  readonly components: Readonly<Record<string, ComponentHealth>>;
  readonly notes: Readonly<Record<string, string>>;
}

export const HEALTH_CHECK_LIMIT_MS = 2_000;

/**
 * The content of `/readyz`: all registered components, and notes such as the tz data version or a clock that is not the
 * system's. Also the content of `/healthz`: whether this process must be restarted.
 */
export class Health {
  readonly #checks = new Map<string, HealthCheck>();
  readonly #livenessChecks: LivenessCheck[] = [];
  readonly #notes = new Map<string, () => string | null>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  register(component: string, check: HealthCheck): void {
    this.#checks.set(component, check);
  }

  registerLiveness(check: LivenessCheck): void {
    this.#livenessChecks.push(check);
  }

  /** Empty if the process need not be restarted. */
  whyRestart(): readonly string[] {
    return this.#livenessChecks.map((check) => check()).filter((reason) => reason !== null);
  }

  /** @param text evaluated for each report; null if there is nothing to note */
  note(name: string, text: string | (() => string | null)): void {
    this.#notes.set(name, typeof text === 'string' ? () => text : text);
  }

  /**
   * Checks all components concurrently. A component that throws, or does not answer in time, is not ok; only the code
   * of its error is shown. Never rejects.
   */
  async report(): Promise<HealthReport> {
    const components = await Promise.all(
      [...this.#checks].map(async ([name, check]) => [name, await this.#ask(check)] as const),
    );
    return {
      ok: components.every(([, { ok }]) => ok),
      components: Object.fromEntries(components),
      notes: Object.fromEntries(
        [...this.#notes].flatMap(([name, textOf]) => {
          const text = textOf();
          return text === null ? [] : [[name, text]];
        }),
      ),
    };
  }

  #ask(check: HealthCheck): Promise<ComponentHealth> {
    return new Promise((resolve) => {
      const refuse = (reason: string) => resolve({ ok: false, detail: { reason } });
      const cancel = this.#clock.after(HEALTH_CHECK_LIMIT_MS, () => refuse('no answer in time'));
      Promise.resolve()
        .then(check)
        .then(resolve, (error: unknown) => refuse(errorCode(error) ?? 'the check failed'))
        .finally(cancel);
    });
  }
}
