import fc from 'fast-check';
import { isKeyed, type CloseImport, type UserCommand, type OpenImport } from '../commands.ts';
import type { AccountEvent, DomainEvent, Grant, ImportOpened, UserEvent } from '../events.ts';
import { closeImport, decide, importOptionsOf, openImport, type NewEvent, type UserState } from './index.ts';

const ACCOUNT = 'a';
const SUBJECTS = [1, 2, 3];
const KEYS = ['k1', 'k2', 'k3'];
const GRANT: Grant = { kind: 'points', system: 'xp', amount: 5n };

const subjects = fc.constantFrom(...SUBJECTS);
const keys = fc.option(fc.constantFrom(...KEYS));
const options = fc.record({ unboundedAwards: fc.boolean(), outgoing: fc.boolean() });

const commands: fc.Arbitrary<UserCommand> = fc.oneof(
  fc.record({ subject: subjects, keyHash: keys, occurredAt: fc.option(fc.nat(100)) }).map((drawn) => ({
    type: 'RecordMetricEvent' as const,
    account: ACCOUNT,
    metric: 'm',
    value: 1n,
    user: {},
    attributes: new Map(),
    ...drawn,
  })),
  subjects.map((subject) => ({ type: 'IdentifyUser' as const, account: ACCOUNT, subject, user: { name: 'Ada' } })),
  subjects.map((subject) => ({
    type: 'CompleteAchievement' as const,
    account: ACCOUNT,
    subject,
    achievement: 'first',
    user: {},
  })),
  fc.record({ subject: subjects, keyHash: keys }).map((drawn) => ({
    type: 'GiveGrant' as const,
    account: ACCOUNT,
    grant: GRANT,
    attribution: {},
    ...drawn,
  })),
  fc.record({ subject: subjects, keyHash: fc.constantFrom(...KEYS) }).map(({ subject, keyHash }) => ({
    type: 'RequestPoints' as const,
    account: ACCOUNT,
    subject,
    keyHash,
    request: { type: 'SpendRequested' as const, subject, system: 'xp', amount: 5, keyHash },
  })),
  subjects.map((subject) => ({
    type: 'EraseUser' as const,
    account: ACCOUNT,
    subject,
    boards: 'remove' as const,
    attribution: {},
  })),
);

type Step = UserCommand | OpenImport | CloseImport;

const steps = fc.array<Step>(
  fc.oneof<fc.MaybeWeightedArbitrary<Step>[]>(
    { weight: 8, arbitrary: commands },
    {
      weight: 1,
      arbitrary: options.map((wanted) => ({
        type: 'OpenImport' as const,
        account: ACCOUNT,
        options: wanted,
        attribution: {},
      })),
    },
    {
      weight: 1,
      arbitrary: fc.constant({ type: 'CloseImport', account: ACCOUNT, cause: 'finished', attribution: {} } as const),
    },
  ),
  { maxLength: 40 },
);

const states: fc.Arbitrary<UserState> = fc.record({
  now: fc.nat(1_000),
  original: fc.option(fc.constant({ eventId: 'first' })),
  user: fc.record({ isCreated: fc.boolean(), isErased: fc.boolean(), attributes: fc.constant(new Map()) }),
  isRecorded: fc.boolean(),
  owed: fc.constantFrom(0, 50_000, 50_001),
  openImport: fc.option(options),
  areaStopped: fc.boolean(),
});

/** A log in memory. Its states are read off the whole log each time, so they share nothing with the decisions. */
class Log {
  readonly events: DomainEvent[] = [];
  #now = 1_000;

  get openImport() {
    const last = this.events.findLast(({ type }) => type === 'ImportOpened' || type === 'ImportClosed');
    return last?.type === 'ImportOpened' ? importOptionsOf(last) : null;
  }

  take(step: Step): void {
    const now = ++this.#now;
    const { openImport: inForce } = this;
    if (step.type === 'OpenImport') return this.#append(openImport(step, { now, openImport: inForce }).events);
    if (step.type === 'CloseImport')
      return this.#append(closeImport(step, { now, isImporting: inForce !== null }).events);
    const decision = decide(step, this.#stateFor(step, now));
    if (decision.kind === 'events') this.#append(decision.events);
  }

  #stateFor(command: UserCommand, now: number): UserState {
    const own = this.events.filter((event) => 'subject' in event && event.subject === command.subject);
    const key = isKeyed(command) ? command.keyHash : null;
    const original = key === null ? -1 : this.events.findIndex((event) => 'keyHash' in event && event.keyHash === key);
    return {
      now,
      original: original < 0 ? null : { eventId: String(original) },
      user: {
        isCreated: own.length > 0,
        isErased: own.some(({ type }) => type === 'UserErased'),
        attributes: new Map(),
      },
      isRecorded: own.length > 0,
      owed: 0,
      openImport: this.openImport,
      areaStopped: false,
    };
  }

  #append(events: readonly NewEvent<UserEvent | AccountEvent>[]): void {
    this.events.push(...events.map(({ event }) => event));
  }
}

describe('the decisions of any sequence of commands', () => {
  const logs = steps.map((taken) => {
    const log = new Log();
    for (const step of taken) log.take(step);
    return log.events;
  });

  it('record each idempotency key once', () => {
    fc.assert(
      fc.property(logs, (events) => {
        const used = events.flatMap((event) => ('keyHash' in event && event.keyHash !== null ? [event.keyHash] : []));
        expect(used).toEqual([...new Set(used)]);
      }),
    );
  });

  it('record nothing of a user behind their erasure', () => {
    fc.assert(
      fc.property(logs, (events) => {
        for (const [index, event] of events.entries())
          if (event.type === 'UserErased')
            expect(
              events.slice(index + 1).filter((other) => 'subject' in other && other.subject === event.subject),
            ).toEqual([]);
      }),
    );
  });

  it('record imported events, and no grants or erasures, while an import is open', () => {
    fc.assert(
      fc.property(logs, (events) => {
        let isOpen = false;
        for (const event of events) {
          if (event.type === 'ImportClosed') expect(isOpen).toBe(true);
          if (event.type === 'ImportOpened') isOpen = true;
          if (event.type === 'ImportClosed') isOpen = false;
          if (event.type === 'MetricEventRecorded' && event.imported) expect(isOpen).toBe(true);
          if (event.type === 'GrantRecorded' || event.type === 'UserErased') expect(isOpen).toBe(false);
        }
      }),
    );
  });
});

describe('a decision', () => {
  it('is the same for the same command and state, which stay as they are', () => {
    fc.assert(
      fc.property(commands, states, (command, state) => {
        const frozen = [Object.freeze(command), Object.freeze({ ...state, user: Object.freeze(state.user) })] as const;
        expect(decide(...frozen)).toEqual(decide(...frozen));
      }),
    );
  });

  it('is a replay of the original event for every keyed command whose key was used', () => {
    fc.assert(
      fc.property(commands, states, (command, state) => {
        fc.pre(isKeyed(command) && state.original !== null);
        expect(decide(command, state)).toEqual({ kind: 'replay', eventId: 'first' });
      }),
    );
  });

  it('records the same event where less is known and nothing more is refused, as in a gateway', () => {
    fc.assert(
      fc.property(commands, states, (command, exact) => {
        const decided = decide(command, exact);
        fc.pre(decided.kind === 'events');
        const read: UserState = {
          now: exact.now,
          original: null,
          user: { isCreated: false, isErased: false, attributes: new Map() },
          isRecorded: true,
          owed: 0,
          openImport: null,
          areaStopped: false,
        };
        const ofGateway = decide(command, read);
        expect(ofGateway.kind === 'events' && withoutBracket(ofGateway.events)).toEqual(withoutBracket(decided.events));
      }),
    );
  });
});

const withoutBracket = (events: readonly NewEvent<UserEvent | ImportOpened>[]) =>
  events.filter(({ event }) => event.type !== 'ImportOpened');
