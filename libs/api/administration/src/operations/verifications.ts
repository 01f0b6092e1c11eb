import { ProblemError, problemOf, type VerificationAnswer, type VerificationProgress } from '@laurel/schemas';
import type { VerificationOptions, Verifications } from '../ports.ts';
import { Runs, type RunsDependencies } from './runs.ts';

/** Runs a verification. Rejects if it cannot be done; differences do not reject. */
export type RunVerification = (
  asked: VerificationOptions,
  onProgress: (progress: VerificationProgress) => void,
) => Promise<void>;

export interface VerificationRunsDependencies extends RunsDependencies<VerificationAnswer> {
  readonly run: RunVerification;
}

/** The verifications of a process, one at a time. */
export class VerificationRuns implements Verifications {
  readonly #run: RunVerification;
  readonly #runs: Runs<VerificationAnswer>;

  constructor({ run, ...parts }: VerificationRunsDependencies) {
    this.#run = run;
    this.#runs = new Runs(parts);
  }

  find(id: string): VerificationAnswer | null {
    return this.#runs.find(id);
  }

  start({ full, onlyLog }: VerificationOptions): VerificationAnswer {
    const { running } = this.#runs;
    if (running)
      throw new ProblemError(
        problemOf('invalid_request', `Verification ${running.id} is under way; one runs at a time.`),
      );
    const begun = { check: null, full, verified: 0, head: 0, folded: 0, users: 0, findings: [], more: false };
    return this.#runs.start(begun, async (change) => {
      await this.#run({ full, onlyLog }, change);
      change({ check: null });
    });
  }
}
