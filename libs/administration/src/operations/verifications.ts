import { ProblemError, problemOf, type VerificationAnswer } from '@laurel/contracts';
import type { Verifications } from '../ports.ts';
import { Runs, type RunsParts } from './runs.ts';

/** What a verification has seen so far. */
export type VerificationProgress = Partial<
  Pick<VerificationAnswer, 'check' | 'verified' | 'head' | 'findings' | 'more'>
>;

/** Checks everything that is stored; rejects if that cannot be done, not for what it finds. */
export type RunVerification = (onProgress: (progress: VerificationProgress) => void) => Promise<void>;

export interface VerificationRunsParts extends RunsParts<VerificationAnswer> {
  readonly run: RunVerification;
}

/** The verifications of a process, one at a time. */
export class VerificationRuns implements Verifications {
  readonly #run: RunVerification;
  readonly #runs: Runs<VerificationAnswer>;

  constructor({ run, ...parts }: VerificationRunsParts) {
    this.#run = run;
    this.#runs = new Runs(parts);
  }

  find(id: string): VerificationAnswer | null {
    return this.#runs.find(id);
  }

  start(): VerificationAnswer {
    const { running } = this.#runs;
    if (running)
      throw new ProblemError(
        problemOf('invalid_request', `Verification ${running.id} is under way; one runs at a time.`),
      );
    return this.#runs.start({ check: null, verified: 0, head: 0, findings: [], more: false }, async (change) => {
      await this.#run(change);
      change({ check: null });
    });
  }
}
