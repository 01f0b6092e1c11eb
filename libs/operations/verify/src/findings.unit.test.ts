import { MOST_FINDINGS, type VerificationProgress } from '@laurel/schemas';
import { Findings, MOST_OF_ONE } from './findings.ts';

describe('the findings of a verification', () => {
  let reported: VerificationProgress[];
  let findings: Findings;
  beforeEach(() => {
    reported = [];
    findings = new Findings((progress) => reported.push(progress));
  });

  it('are reported as they grow, up to a limit, and then as `more`', () => {
    for (let position = 1; position <= MOST_FINDINGS + 1; position++)
      findings.add('log', 'events', {
        what: 'the hash',
        position: String(position),
        stored: 'a',
        expected: 'b',
      });
    expect(reported).toHaveLength(MOST_FINDINGS + 1);
    expect(reported[1]?.findings?.map(({ message }) => message)).toEqual([
      'events: the hash at position 1 is a and must be b.',
      'events: the hash at position 2 is a and must be b.',
    ]);
    expect(reported.at(-2)?.findings).toHaveLength(MOST_FINDINGS);
    expect(reported.at(-1)).toEqual({ more: true });
  });

  it('are limited to the first ones of each table', () => {
    const isAmongFirst = findings.firstOfEach();
    const asked = Array.from({ length: MOST_OF_ONE + 2 }, () => [isAmongFirst('events'), isAmongFirst('log_chain')]);
    expect(asked).toEqual(asked.map((_, place) => [place < MOST_OF_ONE, place < MOST_OF_ONE]));
    expect(reported).toEqual([{ more: true }, { more: true }, { more: true }, { more: true }]);
    expect(findings.firstOfEach()('events')).toBe(true);
  });
});
