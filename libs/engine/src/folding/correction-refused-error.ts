/** A correction that cannot be carried out. Nothing has changed. */
export class CorrectionRefusedError extends Error {
  override readonly name = 'CorrectionRefusedError';
  readonly reason: 'unknown_user' | 'erased' | 'unknown_event' | 'unknown_metric' | 'too_many_awards' | 'too_many_runs';
  /** Of `too_many_awards` and `unknown_metric`. */
  readonly of?: { readonly eventId: string; readonly owed?: number };

  constructor(reason: CorrectionRefusedError['reason'], message: string, of?: CorrectionRefusedError['of']) {
    super(message);
    this.reason = reason;
    if (of !== undefined) this.of = of;
  }
}
