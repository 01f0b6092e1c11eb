import type { Subject, RecordedUserEvent } from '@laurel/kernel';
import type { LiveReads } from '@laurel/ports';
import { ManualClock } from '@laurel/testing/clock';
import { LiveFeed, type LiveMessage, MOST_WATCHERS, type Watcher } from './live-feed.ts';

const NO_EFFECTS = { users: [], streaks: [], achievements: [], points: [], pointsLeftOut: 0 };
const USERS: readonly string[] = ['ada', 'grace'];

/** A log in memory: the events of ada and grace in turn, at positions so far apart. */
class Log implements LiveReads {
  readonly records: RecordedUserEvent[] = [];
  reads = 0;
  newestReads = 0;
  broken = false;
  onRead = (): void => undefined;
  readonly #apart: number;

  constructor(apart: number) {
    this.#apart = apart;
  }

  record(count: number, metric = 'lessons'): void {
    for (let n = 0; n < count; n++) {
      const place = this.records.length + 1;
      const position = this.#apart * place;
      const subject = (place % 2) as Subject;
      const fact = { type: 'MetricEventRecorded', subject, metric };
      this.records.push({ position, account: 'default', fact } as unknown as RecordedUserEvent);
    }
  }

  /** Of the records that no area has applied yet. */
  unapplied = 0;

  applied(): Promise<number> {
    return Promise.resolve(this.#apart * (this.records.length - this.unapplied));
  }

  head(): Promise<number> {
    return Promise.resolve(this.#apart * this.records.length);
  }

  count(after: number, upTo: number, most: number): Promise<number> {
    return Promise.resolve(Math.min(most, (upTo - after) / this.#apart));
  }

  before(upTo: number, records: number): Promise<number> {
    return Promise.resolve(Math.max(0, upTo - this.#apart * records));
  }

  behind(_: string, after: number, limit: number) {
    this.reads++;
    this.onRead();
    if (this.broken) return Promise.reject(new Error('no database'));
    const records = this.#known()
      .slice(after / this.#apart)
      .slice(0, limit);
    return Promise.resolve({ records, position: records.at(-1)?.position ?? after });
  }

  newest(_: string, after: number, limit: number) {
    this.newestReads++;
    if (this.broken) return Promise.reject(new Error('no database'));
    const known = this.#known();
    const records = known.slice(after / this.#apart);
    const position = Math.max(after, this.#apart * known.length);
    return Promise.resolve({
      ...{ records: records.slice(-limit), skipped: Math.max(0, records.length - limit), position },
    });
  }

  #known(): readonly RecordedUserEvent[] {
    return this.records.slice(0, this.records.length - this.unapplied);
  }

  entries(_: string, records: readonly RecordedUserEvent[]) {
    return Promise.resolve(
      records.map((record) => ({ userId: USERS[record.fact.subject] ?? null, record, effects: NO_EFFECTS })),
    );
  }
}

describe.each([
  ['one behind the other', 1],
  ['far apart', 700],
])('the live feed of a log whose positions are %s', (_, apart) => {
  let clock: ManualClock;
  let log: Log;
  let feed: LiveFeed;
  let failures: unknown[];
  beforeEach(() => {
    failures = [];
    clock = new ManualClock();
    log = new Log(apart);
    const directory = { find: (_: string, id: string) => Promise.resolve((USERS.indexOf(id) as Subject) ?? null) };
    feed = new LiveFeed({ reads: log, directory, clock, onFailure: (error) => void failures.push(error) });
  });

  const rounds = async (count: number) => {
    for (let round = 0; round < count; round++) {
      await clock.advance(250);
    }
  };

  const placed = new WeakMap<LiveMessage, LiveMessage>();

  /** With places in the log for its position: the same for the same message. */
  function withPlace(message: LiveMessage): LiveMessage {
    const known = placed.get(message);
    const made = known ?? (message.kind === 'events' ? { ...message, position: message.position / apart } : message);
    placed.set(message, made);
    return made;
  }

  /** @param asked `after` is a place in the log */
  function watch(asked: Partial<Watcher> = {}) {
    const { after = null } = asked;
    const got: LiveMessage[] = [];
    const watcher = {
      ended: false,
      got,
      leave: (): void => undefined,
      positions: () =>
        got.flatMap((one) => (one.kind === 'events' ? one.entries.map((e) => e.record.position / apart) : [])),
      kinds: () => got.map(({ kind }) => kind),
    };
    const leave = feed.watch({
      account: 'default',
      ...{ userId: null, metric: null },
      send: (message) => got.push(withPlace(message)),
      admitted: () => Promise.resolve(true),
      end: () => (watcher.ended = true),
      ...asked,
      after: after === null ? null : after * apart,
    });
    if (leave === null) throw new Error('there is no room');
    return Object.assign(watcher, { leave });
  }
  const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, n) => first + n);

  it('sends existing events and then new ones, each once', async () => {
    log.record(3);
    const watcher = watch();
    await rounds(2);
    log.record(2);
    await rounds(2);
    expect(watcher.positions()).toEqual(upTo(5));
    expect(watcher.got).toHaveLength(2);
  });

  it('sends one message a round with at most 50 events and counts the skipped ones', async () => {
    const watcher = watch();
    await rounds(1);
    log.record(180);
    await rounds(1);
    expect(watcher.got).toMatchObject([{ kind: 'events', skipped: 130, position: 180 }]);
    expect(watcher.positions()).toEqual(upTo(180, 131));
  });

  it('reads no more than it sends, once for all without a filter, and half as often while it skips', async () => {
    const watchers = Array.from({ length: 3 }, () => watch());
    await rounds(1);
    const [reads, newestReads] = [log.reads, log.newestReads];
    for (let round = 0; round < 8; round++) {
      log.record(400);
      await rounds(1);
    }
    expect([log.reads - reads, log.newestReads - newestReads]).toEqual([0, 4]);
    for (const watcher of watchers) {
      const messages = watcher.got.flatMap((one) => (one.kind === 'events' ? [one] : []));
      expect(messages.map(({ entries, skipped }) => entries.length + skipped)).toEqual([400, 800, 800, 800]);
      expect(messages).toEqual(watchers[0]?.got);
    }
    log.record(3);
    await rounds(2);
    log.record(3);
    await rounds(1);
    expect(watchers[0]?.positions().slice(-3)).toEqual(upTo(3_206, 3_204));
  });

  it('shares one message between all watchers without a filter', async () => {
    const [one, other] = [watch(), watch()];
    await rounds(1);
    log.record(2);
    await rounds(1);
    expect(one.got.at(-1)).toMatchObject({ kind: 'events', position: 2 });
    expect(one.got.at(-1)).toBe(other.got.at(-1));
  });

  it('resumes after a position without a gap while others continue', async () => {
    log.record(400);
    const other = watch({ after: 400 });
    const watcher = watch({ after: 100 });
    await rounds(3);
    log.record(10);
    await rounds(10);
    expect(watcher.positions()).toEqual(upTo(410, 101));
    expect(watcher.got.every((one) => one.kind === 'events' && one.skipped === 0 && one.entries.length <= 50)).toBe(
      true,
    );
    expect(other.positions()).toEqual(upTo(410, 401));
  });

  it('sends one resync to a watcher too far behind or ahead of the log', async () => {
    log.record(1_500);
    const behind = watch({ after: 10 });
    const ahead = watch({ after: 9_000 });
    await rounds(3);
    log.record(1);
    await rounds(2);
    for (const watcher of [behind, ahead]) {
      expect(watcher.kinds()).toEqual(['resync', 'events']);
      expect(watcher.positions()).toEqual([1_501]);
    }
  });

  it('sends an event once it is applied, and none twice to a watcher ahead of it', async () => {
    const watcher = watch({ after: 0 });
    log.record(5);
    log.unapplied = 2;
    await rounds(3);
    expect(watcher.positions()).toEqual([1, 2, 3]);
    const ahead = watch({ after: 4 });
    await rounds(2);
    log.record(1);
    log.unapplied = 0;
    await rounds(3);
    expect(watcher.positions()).toEqual(upTo(6));
    expect(ahead.positions()).toEqual([5, 6]);
    expect(ahead.kinds()).not.toContain('resync');
  });

  it('brings a watcher to the newest events while 1,000 arrive in a round', async () => {
    log.record(1_000);
    watch();
    await rounds(1);
    const watcher = watch({ after: 950 });
    const grace = watch({ userId: 'grace', after: 950 });
    await clock.advance(0);
    for (let round = 0; round < 5; round++) {
      log.record(1_000);
      await rounds(1);
    }
    const { reads } = log;
    log.record(1_000);
    await rounds(1);
    // Those who are up to date share one reader.
    expect(log.reads - reads).toBe(1);
    const skipped = ({ got }: typeof watcher) =>
      got.reduce((sum, message) => sum + (message.kind === 'events' ? message.skipped : 0), 0);
    for (const one of [watcher, grace]) {
      const positions = one.positions();
      expect(new Set(one.kinds())).toEqual(new Set(['events']));
      expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
      expect(one.got.at(-1)).toMatchObject({ position: 7_000 });
    }
    expect(watcher.positions().length + skipped(watcher)).toBe(6_050);
    expect(grace.positions().length + skipped(grace)).toBe(3_025);
  });

  it('filters by user and by metric', async () => {
    const grace = watch({ userId: 'grace' });
    const words = watch({ metric: 'words' });
    const nobody = watch({ userId: 'alan' });
    log.record(3);
    log.record(1, 'words');
    await rounds(2);
    expect(grace.positions()).toEqual([1, 3]);
    expect(words.positions()).toEqual([4]);
    expect(nobody.got).toEqual([]);
  });

  it('sends the first event of a new user to a watcher who filters by that user', async () => {
    let isKnown = false;
    const directory = { find: () => Promise.resolve(isKnown ? (1 as Subject) : null) };
    feed = new LiveFeed({ reads: log, directory, clock, onFailure: (error) => void failures.push(error) });
    const grace = watch({ userId: 'grace' });
    await rounds(2);
    // Their first event comes just before the log is read.
    log.onRead = () => {
      if (isKnown) return;
      isKnown = true;
      log.record(1);
    };
    await rounds(3);
    expect(grace.positions()).toEqual([1]);
  });

  it('does not read while nobody watches', async () => {
    const watcher = watch();
    await rounds(2);
    watcher.leave();
    await rounds(1);
    const { reads } = log;
    await rounds(5);
    expect(log.reads).toBe(reads);
  });

  it('continues after the database was unavailable', async () => {
    const watcher = watch({ after: 0 });
    await rounds(2);
    log.record(2);
    log.broken = true;
    await rounds(4);
    log.broken = false;
    await rounds(2);
    expect(watcher.positions()).toEqual([1, 2]);
    expect(failures).toEqual(Array(4).fill(new Error('no database')));
  });

  it('sends a resync when a position can never be read', async () => {
    const watcher = watch();
    await rounds(2);
    log.record(2);
    log.broken = true;
    await rounds(40);
    expect(watcher.kinds().at(-1)).toBe('resync');
    log.broken = false;
    log.record(1);
    await rounds(2);
    expect(watcher.positions()).toEqual([3]);
  });

  it('sends a resync to all when the log grows too fast', async () => {
    const watcher = watch({ after: 0 });
    await rounds(2);
    log.record(30_000);
    await rounds(1);
    expect(watcher.kinds().at(-1)).toBe('resync');
    log.record(1);
    await rounds(1);
    expect(watcher.positions().at(-1)).toBe(30_001);
  });

  it('admits 32 watchers and ends those who lose access', async () => {
    let may = true;
    const watchers = Array.from({ length: MOST_WATCHERS }, () => watch({ admitted: () => Promise.resolve(may) }));
    expect(() => watch()).toThrow('there is no room');
    await rounds(61);
    expect(watchers[0]?.kinds()).toEqual(['quiet']);
    may = false;
    await rounds(61);
    expect(watchers.every(({ ended }) => ended)).toBe(true);
    expect(feed.watchers).toBe(0);
    feed.stop();
    expect(() => watch()).toThrow('there is no room');
  });
});
