import { errorCode, type Clock } from '@laurel/ports';

/** How one component fares. `detail` is shown to everybody who can reach the port: no secrets, no user data. */
export interface ComponentHealth {
  readonly ok: boolean;
  readonly detail?: Readonly<Record<string, unknown>>;
}

export type HealthCheck = () => ComponentHealth | Promise<ComponentHealth>;

/** Why this process does not recover unless it is restarted; null: it may. Asked at each `/healthz`: answers from memory. */
export type LivenessCheck = () => string | null;

export interface HealthReport {
  readonly ok: boolean;
  readonly components: Readonly<Record<string, ComponentHealth>>;
  readonly notes: Readonly<Record<string, string>>;
}

export const HEALTH_CHECK_LIMIT_MS = 2_000;

/**
 * The content of `/readyz`: every registered component, and notes such as the tz data version or a clock that is not the machine's.
 * And what `/healthz` tells: whether this process has to be restarted.
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

  /** None: it need not be restarted. */
  whyRestart(): readonly string[] {
    return this.#livenessChecks.map((check) => check()).filter((reason) => reason !== null);
  }

  /** @param text asked for at each report; null: there is nothing to note */
  note(name: string, text: string | (() => string | null)): void {
    this.#notes.set(name, typeof text === 'string' ? () => text : text);
  }

  /** Asks all components at once. One that throws, or does not answer in time, is not ok, and only the code of the error is told. Never rejects. */
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
