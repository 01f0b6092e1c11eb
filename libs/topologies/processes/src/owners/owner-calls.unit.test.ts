import { VirtualClock } from '@laurel/testing/clock';
import { CallError, type CallFailure } from '../internal-calls/index.ts';
import { OwnerCalls, OwnerUnavailableError, type OwnerAnswer } from './owner-calls.ts';

const LIMIT_MS = 10_000;
const NOT_OWNED: OwnerAnswer<never> = { owned: false };
const answered = <T>(answer: T): OwnerAnswer<T> => ({ owned: true, answer });
const failing = (failure: CallFailure) => () => Promise.reject(new CallError(failure, failure));

type Peer = (payload: { readonly limitMs: number }, limitMs: number) => Promise<unknown>;

/** Partition 3 of a topic, whose owner is `stored`, as this process knows it when it reads the table. */
function setUp(stored: string | null, peers: Readonly<Record<string, Peer>>) {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const failures: unknown[] = [];
  const table = { stored, known: stored, reads: 0, isReachable: true };
  const calls = new OwnerCalls({
    clock,
    owners: {
      ownerOf: () => (table.isReachable ? Promise.resolve(table.known) : Promise.reject(new Error('no database'))),
      renew: async () => {
        table.reads++;
        if (!table.isReachable) throw new Error('no database');
        table.known = table.stored;
      },
    },
    clients: {
      call: (address, _name, payload, limitMs) => {
        asked.push(address);
        return (peers[address] as Peer)(payload as { limitMs: number }, limitMs);
      },
    },
    onFailure: (_name, _address, error) => failures.push(error),
  });
  const request = { topic: 'a topic', partition: 3, name: 'ask', payload: (limitMs: number) => ({ limitMs }) };
  const ask = (limitMs = LIMIT_MS) => calls.ask<string>(request, limitMs);
  return { clock, asked, failures, table, ask };
}

describe('a request to the owner of a partition', () => {
  it('is answered by the owner', async () => {
    const { ask, asked, clock } = setUp('a:1', { 'a:1': () => Promise.resolve(answered('yes')) });
    expect(await ask()).toBe('yes');
    expect(asked).toEqual(['a:1']);
    expect(clock.timers).toBe(0);
  });

  it('reserves time for the peer to send its answer back', async () => {
    const limits: number[] = [];
    const peer: Peer = ({ limitMs: within }, limitMs) => (limits.push(within, limitMs), Promise.resolve(answered('')));
    const { ask } = setUp('a:1', { 'a:1': peer });
    await ask(10_000);
    await ask(80);
    expect(limits).toEqual([9_900, 10_000, 40, 80]);
  });

  it.each<CallFailure>(['unreachable', 'timed out', 'refused', 'failed'])(
    'is sent to the new owner at once when the old one is %s',
    async (failure) => {
      const { ask, asked, table } = setUp('a:1', {
        'a:1': failing(failure),
        'b:1': () => Promise.resolve(answered('yes')),
      });
      table.stored = 'b:1';
      expect(await ask()).toBe('yes');
      expect(asked).toEqual(['a:1', 'b:1']);
    },
  );

  it('is sent to the new owner when the old one says that it is not the owner', async () => {
    const { ask, asked, table, failures } = setUp('a:1', {
      'a:1': () => Promise.resolve(NOT_OWNED),
      'b:1': () => Promise.resolve(answered('yes')),
    });
    table.stored = 'b:1';
    expect(await ask()).toBe('yes');
    expect(asked).toEqual(['a:1', 'b:1']);
    expect(failures).toEqual([]);
  });

  it('is repeated at growing intervals until an owner answers', async () => {
    const { ask, asked, table, clock } = setUp(null, { 'a:1': () => Promise.resolve(answered('yes')) });
    const answer = ask();
    await clock.advance(3_000);
    expect(asked).toEqual([]);
    expect(table.reads).toBeGreaterThan(10);
    expect(table.reads).toBeLessThan(30);
    table.stored = 'a:1';
    await clock.advance(200);
    expect(await answer).toBe('yes');
  });

  it('continues after an outage of the database', async () => {
    const { ask, table, clock } = setUp('a:1', { 'a:1': () => Promise.resolve(answered('yes')) });
    table.isReachable = false;
    const answer = ask();
    await clock.advance(1_000);
    table.isReachable = true;
    await clock.advance(200);
    expect(await answer).toBe('yes');
  });

  it('is repeated at an overloaded owner without reading the owners again', async () => {
    let busy = true;
    const { ask, table, clock } = setUp('a:1', {
      'a:1': () => (busy ? failing('overloaded')() : Promise.resolve(answered('yes'))),
    });
    const answer = ask();
    await clock.advance(500);
    busy = false;
    await clock.advance(200);
    expect(await answer).toBe('yes');
    expect(table.reads).toBe(0);
  });

  it('fails at the limit with the reason', async () => {
    const { ask, clock, failures } = setUp('a:1', { 'a:1': failing('refused') });
    const lost = ask(1_000).catch((error: unknown) => error);
    await clock.advance(1_000);
    const error = await lost;
    expect(error).toBeInstanceOf(OwnerUnavailableError);
    expect((error as Error).cause).toMatchObject({ failure: 'refused' });
    expect(failures.length).toBeGreaterThan(3);
    expect(clock.timers).toBe(0);
  });

  it('fails at the limit even if nobody ever answers', async () => {
    const { ask, clock } = setUp('a:1', { 'a:1': () => new Promise(() => undefined) });
    const lost = ask(1_000).catch((error: unknown) => error);
    await clock.advance(1_000);
    expect(await lost).toBeInstanceOf(OwnerUnavailableError);
  });

  it('leaves a frozen owner as soon as another has taken over the partition', async () => {
    const { ask, asked, table, clock } = setUp('a:1', {
      'a:1': () => new Promise(() => undefined),
      'b:1': () => Promise.resolve(answered('yes')),
    });
    const answer = ask();
    await clock.advance(2_500);
    expect(asked).toEqual(['a:1']);
    table.stored = 'b:1';
    table.known = 'b:1';
    await clock.advance(1_000);
    expect(await answer).toBe('yes');
  });
});
