import type { OutcomeReader } from '@laurel/outgoing';
import { VirtualClock, settled } from '@laurel/testing/clock';
import type { OutcomeTopic } from './outcome-topic.ts';
import { OutgoingTerm, type Deliverer } from './outgoing-term.ts';

const USER = { account: 'default', subject: 7 };

/** A term whose deliverer is opened when a test says so; `said` is what was done, in order. */
function begun() {
  const clock = new VirtualClock();
  const said: string[] = [];
  const troubles: unknown[] = [];
  const openings: {
    resolve: (deliverer: Deliverer) => void;
    reject: (error: Error) => void;
    caughtUp: () => Promise<boolean>;
  }[] = [];
  const note = (what: string) => Promise.resolve(void said.push(what));
  const deliverer = (needed: number | null): Deliverer => ({
    oldestNeeded: () => Promise.resolve(needed),
    forgetUser: (userKey) => note(`deliveries of ${userKey}`),
    close: () => note('deliverer closed'),
  });
  const reader = {
    begin: () => void said.push('reader'),
    forget: () => note('outcomes of the user'),
    close: () => note('reader closed'),
    caughtUp: () => note('reader caught up').then(() => true),
  } as unknown as OutcomeReader;
  const topic = {
    begin: () => void said.push('topic'),
    oldestNeeded: () => Promise.resolve(21),
    close: () => note('topic closed'),
  } as unknown as OutcomeTopic;
  const term = new OutgoingTerm({
    reader: () => reader,
    topic,
    open: ({ caughtUp }) => new Promise<Deliverer>((resolve, reject) => openings.push({ resolve, reject, caughtUp })),
    ...{ clock, onFailure: (error) => troubles.push(error) },
  });
  term.begin();
  return { term, clock, said, troubles, openings, deliverer };
}

describe('the outgoing term', () => {
  it('keeps every outcome until the endpoints are loaded, then those that topic or endpoints need', async () => {
    const { term, openings, deliverer } = begun();
    expect([term.deliverer, await term.oldestNeeded()]).toEqual([null, 1]);
    openings[0]?.resolve(deliverer(12));
    await settled();
    expect(await term.oldestNeeded()).toBe(12);
    const other = begun();
    other.openings[0]?.resolve(other.deliverer(null));
    await settled();
    expect(await other.term.oldestNeeded()).toBe(21);
  });

  it('lets the deliverer wait for outcomes that are still to be created', async () => {
    const { openings, said } = begun();
    await openings[0]?.caughtUp();
    expect(said).toContain('reader caught up');
  });

  it('loads the endpoints again a second after a failure', async () => {
    const { term, clock, openings, troubles, deliverer } = begun();
    openings[0]?.reject(new Error('away'));
    await settled();
    expect([troubles.length, openings.length]).toEqual([1, 1]);
    await clock.advance(1_000);
    openings[1]?.resolve(deliverer(null));
    await settled();
    expect(term.deliverer).not.toBeNull();
  });

  it('forgets outcomes before deliveries, also of endpoints that are being loaded', async () => {
    const { term, said, openings, deliverer } = begun();
    const forgotten = term.forget(USER);
    await settled();
    openings[0]?.resolve(deliverer(null));
    await forgotten;
    expect(said).toEqual(['reader', 'topic', 'outcomes of the user', 'deliveries of 7']);
  });

  it('closes what is being opened when it ends', async () => {
    const { term, said, openings, deliverer } = begun();
    const closed = term.close();
    openings[0]?.resolve(deliverer(null));
    await closed;
    expect(said.slice(2).sort()).toEqual(['deliverer closed', 'reader closed', 'topic closed']);
  });
});
