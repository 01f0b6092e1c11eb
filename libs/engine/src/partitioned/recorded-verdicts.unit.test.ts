import type { RecordedEvent, SpendRequested, Verdict } from '@laurel/kernel';
import { newMessage } from '@laurel/kernel';
import type { Streamed } from '@laurel/ports';
import { withVerdicts } from './recorded-verdicts.ts';
import type { NextMessage } from './take-front.ts';
import { message, publication, recordAt } from './worker-under-test.fixture.ts';

const NO: Verdict = { accepted: false, available: 3 };

const spend = (position: number, verdict?: Verdict): Streamed => ({
  ...{ kind: 'record', trail: [] },
  message: newMessage({
    ...{ eventId: `e${position}`, account: 'default', configurationVersion: 1, position, occurredAt: 0, recordedAt: 0 },
    fact: {
      ...{ type: 'SpendRequested', subject: 1, system: 'xp', amount: 5, keyHash: 'k' },
      ...(verdict !== undefined && { verdict }),
    },
  }),
});

const nextOf = (streamed: Streamed, index: number): NextMessage => ({
  message: message(index, index + 1, streamed),
  origin: { source: 0, sequence: index + 1 },
  streamed,
  index,
});

/** Decides every request it is asked for. */
function refusing() {
  const asked: string[] = [];
  const addedTo = <Event>(records: readonly RecordedEvent<Event>[]) => {
    asked.push(...records.map(({ eventId }) => eventId));
    return Promise.resolve(records.map((record) => ({ ...record, fact: { ...record.fact, verdict: NO } })));
  };
  return { asked, addedTo };
}

const verdictOf = ({ streamed }: NextMessage): Verdict | undefined =>
  streamed.kind === 'record' ? (streamed.message.record.fact as SpendRequested).verdict : undefined;

describe('the verdicts of a batch', () => {
  it('are looked up for the requests that lack one, and nothing else changes', async () => {
    const yes: Verdict = { accepted: true, amount: 5, moved: 5 };
    const messages = [publication, spend(2), recordAt(3), spend(4, yes)].map(nextOf);
    const verdicts = refusing();
    const found = await withVerdicts(messages, verdicts);
    expect(found.map(verdictOf)).toEqual([undefined, NO, undefined, yes]);
    expect(verdicts.asked).toEqual(['e2']);
    expect([found[0], found[2], found[3]]).toEqual([messages[0], messages[2], messages[3]]);
  });

  it('are not asked for without such a request', async () => {
    const messages = [publication, recordAt(2)].map(nextOf);
    const verdicts = refusing();
    expect(await withVerdicts(messages, verdicts)).toBe(messages);
    expect(verdicts.asked).toEqual([]);
  });
});
