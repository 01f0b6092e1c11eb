import type { UserCommand } from '../commands.ts';
import {
  closeImport,
  correctEvents,
  decide,
  openImport,
  publishConfiguration,
  sweepUsers,
  type Decision,
  type UserState,
} from './index.ts';

const NOW = 1_000;
const SUBJECT = 7;
const IMPORT = { unboundedAwards: false, outgoing: false };

const known: UserState = {
  now: NOW,
  original: null,
  user: { isCreated: true, isErased: false, attributes: new Map() },
  isRecorded: true,
  owed: 0,
  openImport: null,
  areaStopped: false,
};
const erased: UserState = { ...known, user: { ...known.user, isErased: true } };
const full: UserState = { ...known, user: { ...known.user, attributes: attributes(1, 50) } };
const stranger: UserState = { ...known, isRecorded: false, user: { ...known.user, isCreated: false } };
const used: UserState = { ...known, original: { eventId: 'first' } };

function attributes(from: number, to: number): ReadonlyMap<string, string> {
  return new Map(Array.from({ length: to - from + 1 }, (_, index) => [`k${from + index}`, 'v'] as const));
}

const user = { account: 'a', subject: SUBJECT };
const event = { type: 'RecordMetricEvent', ...user, metric: 'm', value: 5n, user: {}, keyHash: 'h' } as const;
const live: UserCommand = { ...event, attributes: new Map(), occurredAt: null };
const imported: UserCommand = { ...event, attributes: new Map(), occurredAt: 77, importedBy: 'ann' };
const grant = { kind: 'points', system: 'xp', amount: 5n } as const;
const granting: UserCommand = { type: 'GiveGrant', ...user, grant, keyHash: 'h', attribution: { by: 'ann' } };
const erasing: UserCommand = { type: 'EraseUser', ...user, boards: 'remove', attribution: { reason: 'asked' } };
const naming = (count: number): UserCommand => ({
  type: 'IdentifyUser',
  ...user,
  user: { name: 'Ada', attributes: attributes(100, 99 + count) },
});
const completing: UserCommand = { type: 'CompleteAchievement', ...user, achievement: 'first', user: {} };

const refused = (reason: string) => ({ kind: 'refusal', reason });
const eventsOf = (decision: Decision) => (decision.kind === 'events' ? decision.events : decision);

describe('a metric event', () => {
  it('is recorded at the instant at which it is received', () => {
    const [recorded] = eventsOf(decide(live, known)) as readonly unknown[];
    expect(recorded).toEqual({
      occurredAt: NOW,
      event: {
        type: 'MetricEventRecorded',
        subject: SUBJECT,
        metric: 'm',
        value: 5n,
        user: {},
        attributes: new Map(),
        keyHash: 'h',
        imported: false,
      },
    });
  });

  it('creates its user if there is none', () => {
    expect(decide(live, stranger).kind).toBe('events');
  });

  it('is replayed if its idempotency key was used, even if it would otherwise be refused', () => {
    const replay = { kind: 'replay', eventId: 'first' };
    expect(decide(live, used)).toEqual(replay);
    expect(decide(live, { ...erased, original: used.original })).toEqual(replay);
    expect(decide(imported, { ...used, owed: 50_001 })).toEqual(replay);
  });

  it('is refused if its user is erased or would have too many attributes', () => {
    expect(decide(live, erased)).toEqual(refused('erased'));
    expect(decide({ ...live, user: { attributes: attributes(51, 51) } }, full)).toEqual(refused('too_many_attributes'));
    expect(decide({ ...live, user: { attributes: attributes(50, 50) } }, full).kind).toBe('events');
  });

  it('records the limit in force if it sets attributes', () => {
    const decision = decide({ ...live, user: { attributes: attributes(1, 1) } }, known);
    expect(eventsOf(decision)).toMatchObject([{ event: { user: { attributeLimit: 50 } } }]);
  });
});

describe('an imported metric event', () => {
  it('opens an import in the name of the importer, and is recorded at its own instant', () => {
    expect(eventsOf(decide(imported, known))).toMatchObject([
      { occurredAt: NOW, event: { type: 'ImportOpened', by: 'ann' } },
      { occurredAt: 77, event: { type: 'MetricEventRecorded', imported: true } },
    ]);
  });

  it('opens no import if one is open', () => {
    expect(eventsOf(decide(imported, { ...known, openImport: IMPORT }))).toMatchObject([{ occurredAt: 77 }]);
  });

  it('is refused if its user would be owed more than 50,000 awards, unless the import lifts that limit', () => {
    const owing = { ...stranger, owed: 50_001 };
    const tooMany = { ...refused('too_many_awards'), owed: 50_001 };
    expect(decide(imported, owing)).toEqual(tooMany);
    expect(decide(imported, { ...owing, openImport: IMPORT })).toEqual(tooMany);
    expect(decide(imported, { ...owing, owed: 50_000 }).kind).toBe('events');
    expect(decide(imported, { ...owing, openImport: { ...IMPORT, unboundedAwards: true } }).kind).toBe('events');
  });
});

describe('identifications and completions by API call', () => {
  it('are recorded', () => {
    expect(eventsOf(decide(naming(1), known))).toEqual([
      {
        occurredAt: NOW,
        event: {
          type: 'UserIdentified',
          subject: SUBJECT,
          user: { name: 'Ada', attributes: attributes(100, 100), attributeLimit: 50 },
        },
      },
    ]);
    const completed = { type: 'AchievementCompletedByCall', subject: SUBJECT, achievement: 'first', user: {} };
    expect(eventsOf(decide(completing, stranger))).toEqual([{ occurredAt: NOW, event: completed }]);
  });

  it('are refused outside of the window of the achievement, which ends before activeUntil', () => {
    const within = (activeFrom: number | null, activeUntil: number | null) =>
      decide({ ...completing, window: { activeFrom, activeUntil } }, known);
    for (const [from, until] of [
      [NOW, NOW + 1],
      [NOW, null],
      [null, NOW + 1],
    ] as const)
      // prettier-ignore
      expect(within(from, until)).toMatchObject({ kind: 'events' });
    for (const [from, until] of [
      [NOW + 1, null],
      [null, NOW],
    ] as const)
      // prettier-ignore
      expect(within(from, until)).toEqual(refused('not_active'));
  });

  it('are refused if the user is erased or would have too many attributes', () => {
    expect(decide(naming(0), erased)).toEqual(refused('erased'));
    expect(decide(completing, erased)).toEqual(refused('erased'));
    expect(decide(naming(1), full)).toEqual(refused('too_many_attributes'));
  });
});

describe('a grant', () => {
  it('is recorded with the actor who gave it', () => {
    const recorded = { type: 'GrantRecorded', subject: SUBJECT, grant, keyHash: 'h', by: 'ann' };
    expect(eventsOf(decide(granting, known))).toEqual([{ occurredAt: NOW, event: recorded }]);
  });

  it('is replayed if its idempotency key was used, even during an import', () => {
    const decision = decide(granting, { ...used, openImport: IMPORT });
    expect(decision).toEqual({ kind: 'replay', eventId: 'first' });
  });

  it.each([
    ['unknown_user', stranger],
    ['erased', erased],
    ['import_open', { ...known, openImport: IMPORT }],
  ] as const)('is refused as %s', (reason, state) => {
    expect(decide(granting, state)).toEqual(refused(reason));
  });
});

describe('an erasure', () => {
  it('is recorded with its reason', () => {
    const recorded = { type: 'UserErased', subject: SUBJECT, boards: 'remove', reason: 'asked' };
    expect(eventsOf(decide(erasing, known))).toEqual([{ occurredAt: NOW, event: recorded }]);
  });

  it.each([
    ['unknown_user', stranger],
    ['erased', erased],
    ['import_open', { ...known, openImport: IMPORT, areaStopped: true }],
    ['area_stopped', { ...known, areaStopped: true }],
  ] as const)('is refused as %s', (reason, state) => {
    expect(decide(erasing, state)).toEqual(refused(reason));
  });
});

describe('a correction', () => {
  const correction = {
    type: 'CorrectionRecorded',
    subject: SUBJECT,
    corrections: [{ position: 3, eventId: 'e', retract: true }],
    achievements: 'recompute',
    finalRuns: 'keep',
    preview: 'p',
    keyHash: 'h',
  } as const;
  const state = { ...known, isDue: false, hasConflict: false };

  it('is recorded, preceded by a sweep of its user if something is due', () => {
    expect(eventsOf(correctEvents(correction, state))).toEqual([{ occurredAt: NOW, event: correction }]);
    expect(eventsOf(correctEvents(correction, { ...state, isDue: true }))).toEqual([
      { occurredAt: NOW, event: { type: 'UsersSwept', subjects: [SUBJECT] } },
      { occurredAt: NOW, event: correction },
    ]);
  });

  it('is replayed if its idempotency key was used', () => {
    const decision = correctEvents(correction, { ...state, original: used.original, hasConflict: true });
    expect(decision).toEqual({ kind: 'replay', eventId: 'first' });
  });

  it.each([
    ['unknown_user', { isRecorded: false }],
    ['erased', { user: erased.user }],
    ['import_open', { openImport: IMPORT }],
    ['area_stopped', { areaStopped: true }],
    ['corrected_meanwhile', { hasConflict: true }],
  ] as const)('is refused as %s, without a sweep', (reason, more) => {
    expect(correctEvents(correction, { ...state, isDue: true, ...more })).toEqual(refused(reason));
  });
});

describe('a publication', () => {
  const publish = (latestVersion: number, holdsEvents: boolean) =>
    publishConfiguration(
      { type: 'PublishConfiguration', account: 'a', document: 'd', attribution: { by: 'ann' } },
      { now: NOW, latestVersion, holdsEvents },
    );

  it('is recorded as the first or the next version', () => {
    const event1 = { type: 'ConfigurationPublished', version: 1, document: 'd', by: 'ann' };
    expect(publish(0, false)).toEqual({ occurredAt: NOW, event: event1 });
    expect(publish(0, true).event.version).toBe(1);
    expect(publish(3, true).event.version).toBe(4);
  });

  it('replaces the newest version while the account has no events', () => {
    expect(publish(1, false).event.version).toBe(1);
    expect(publish(3, false).event.version).toBe(3);
  });
});

describe('a sweep', () => {
  const sweep = (subjects: readonly number[], isImporting: boolean) =>
    sweepUsers({ type: 'SweepUsers', account: 'a', subjects }, { now: NOW, isImporting }).events;

  it('is recorded for the users who are due, but not during an import', () => {
    expect(sweep([1, 2], false)).toEqual([{ occurredAt: NOW, event: { type: 'UsersSwept', subjects: [1, 2] } }]);
    expect(sweep([], false)).toEqual([]);
    expect(sweep([1, 2], true)).toEqual([]);
  });
});

describe('an import', () => {
  const open = (options: typeof IMPORT, inForce: typeof IMPORT | null) =>
    openImport(
      { type: 'OpenImport', account: 'a', options, attribution: { reason: 'old data' } },
      { now: NOW, openImport: inForce },
    ).events;
  const close = (isImporting: boolean) =>
    closeImport(
      { type: 'CloseImport', account: 'a', cause: 'idle', attribution: { by: 'process' } },
      { now: NOW, isImporting },
    ).events;

  it('is opened, or opened again with other options', () => {
    const outgoing = { ...IMPORT, outgoing: true };
    const opened = { type: 'ImportOpened', reason: 'old data' };
    expect(open(IMPORT, null)).toEqual([{ occurredAt: NOW, event: opened }]);
    expect(open(outgoing, IMPORT)).toEqual([{ occurredAt: NOW, event: { ...opened, outgoing: true } }]);
    expect(open(outgoing, outgoing)).toEqual([]);
  });

  it('is closed only once', () => {
    const closed = { type: 'ImportClosed', cause: 'idle', by: 'process' };
    expect(close(true)).toEqual([{ occurredAt: NOW, event: closed }]);
    expect(close(false)).toEqual([]);
  });
});
