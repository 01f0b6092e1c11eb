import type { Subject } from '@laurel/kernel';
import type { CorrectionRefused } from '@laurel/ports';
import { correctionRefusal } from './correction-refusal.ts';

const [ada, bea, erased]: readonly [Subject, Subject, Subject] = [1, 2, 3];
const IDS = new Map([
  [ada, 'ada'],
  [bea, 'bea'],
]);

describe('the answer to a refused correction', () => {
  it('names which users are corrected and which are not', () => {
    const corrected = [ada, erased].map((subject) => ({ subject, eventId: `of ${subject}` }));
    const refused: CorrectionRefused = {
      ...{ kind: 'refused', reason: 'unavailable', retryAfterMs: 2_500, progress: { corrected, left: [bea] } },
    };
    const { problem, headers } = correctionRefusal(refused, IDS);
    expect(headers).toEqual({ 'retry-after': '3' });
    expect(problem).toMatchObject({
      ...{ code: 'unavailable', detail: expect.stringContaining('2 of 3 users are corrected already.') },
      corrected: [
        { userId: 'ada', eventId: 'of 1' },
        { userId: null, eventId: 'of 3' },
      ],
      uncorrected: ['bea'],
    });
    expect(problem.error).toBe(problem.detail);
  });

  it('names the event whose outcome is unknown', () => {
    const { problem } = correctionRefusal({ kind: 'refused', reason: 'unknown', eventId: 'tried' });
    expect(problem).toMatchObject({ code: 'outcome_unknown', eventId: 'tried' });
    expect(problem.detail).toContain('tried');
    expect(problem).not.toHaveProperty('corrected');
  });

  it('names the instant that would owe too many time awards', () => {
    const event = { eventId: 'first', because: 'would owe too much' };
    const pathOf = (instantAt: { readonly instantAt?: number }) =>
      correctionRefusal({ kind: 'refused', reason: 'too_many_awards', events: [{ ...event, ...instantAt }] }).problem
        .errors;
    expect(pathOf({ instantAt: 4 })).toEqual([{ path: 'corrections.4.occurredAt', message: 'would owe too much' }]);
    expect(pathOf({})).toEqual([{ path: 'corrections', message: 'would owe too much' }]);
  });
});
