import { subjectOf } from '@laurel/ports/fixtures';
import { keyHashOf } from '@laurel/event-store';
import { dayAt, formatDay, type Instant } from '@laurel/calendar';
import { parseDocument } from '@laurel/configuration';
import type { Amount } from '@laurel/amounts';
import type {
  UserCommand,
  EraseUser,
  GiveGrant,
  Grant,
  RefundRequested,
  RequestPoints,
  SpendRequested,
  IdentifyUser,
  RecordMetricEvent,
  Subject,
} from '@laurel/kernel';
import fc from 'fast-check';
import { ACCOUNT } from './account.ts';

export const HISTORY_CONFIGURATION = `
version: 1
metrics:
  - { key: lessons, name: Lessons }
  - { key: __proto__, name: Words }
streak:
  frequency: daily
  mode: any
  conditions:
    - { metric: lessons, threshold: 1 }
    - { metric: __proto__, threshold: 2.5 }
achievements:
  - { key: first, name: First, trigger: { type: metric, metric: lessons, value: 1 } }
  - { key: constructor, name: Many, trigger: { type: metric, metric: __proto__, value: 7.5 } }
  - { key: streak, name: Streak, trigger: { type: streak, length: 2 } }
  - { key: all, name: All, trigger: { type: achievement, achievements: [first, both] } }
  - { key: both, name: Both, trigger: { type: achievement, achievements: [constructor, streak] } }
points:
  - key: xp
    name: XP
    triggers:
      - { type: user_creation, points: 3 }
      - { type: metric, metric: lessons, threshold: 1, points: 10 }
      - { type: metric, metric: __proto__, threshold: 0.5, points: -2 }
      - { type: streak, length: 2, points: 5 }
      - { type: achievement, achievement: all, points: 50 }
    levels: [{ key: low, name: Low, points: 5 }, { key: high, name: High, points: 40 }]
  - key: energy
    name: Energy
    maxPoints: 9
    triggers:
      - { type: time, unit: hour, interval: 7, points: 2 }
      - { type: time, unit: day, interval: 1, points: -3 }
      - { type: metric, metric: lessons, threshold: 2, points: -4 }
leaderboards:
  - { key: lessons, name: Lessons, rankBy: metric, metric: lessons, start: 2026-01-01, maxParticipants: 2 }
  - { key: words, name: Words, rankBy: metric, metric: __proto__, start: 2026-03-01, end: 2026-03-30, runUnit: day, runInterval: 3 }
  - { key: xp, name: XP, rankBy: points, pointsSystem: xp, start: 2026-01-31, runUnit: month, runInterval: 1 }
  - { key: energy, name: Energy, rankBy: points, pointsSystem: energy, start: 2026-01-01, runUnit: day, runInterval: 7 }
  - { key: streaks, name: Streaks, rankBy: streak, start: 2026-03-09, end: 2026-03-13 }
`;

/** Shortly before the days on which the clocks of Europe and America change. */
const FROM: Instant = Date.parse('2026-03-06T00:00:00Z');
export const USERS = ['ada', '__proto__', '10', '2'];
const ZONES = ['UTC', 'America/New_York', 'Europe/Berlin', 'Pacific/Kiritimati', 'Etc/GMT+12'];

/** An imported event of any user, with an instant within thirty days. */
export const event: fc.Arbitrary<RecordMetricEvent> = fc
  .record({
    type: fc.constant('RecordMetricEvent' as const),
    account: fc.constant(ACCOUNT),
    subject: fc.constantFrom(...USERS).map(subjectOf),
    metric: fc.constantFrom('lessons', '__proto__'),
    value: fc.oneof(fc.constantFrom(1_000_000n, 0n, 2_500_000n), fc.bigInt({ min: -3_000_000n, max: 8_000_000n })),
    user: fc.oneof(
      fc.constant({}),
      fc.constantFrom(...ZONES).map((tz) => ({ tz })),
    ),
    attributes: fc.constant(new Map<string, string>()),
    keyHash: fc.oneof(
      fc.constant(null),
      fc.integer({ min: 0, max: 40 }).map((key) => `k${key}`),
    ),
    occurredAt: fc.integer({ min: 0, max: 30 * 24 * 4 }).map((quarters): Instant => FROM + quarters * 15 * 60_000),
  })
  .map(({ account, subject, metric, keyHash: key, ...rest }) => {
    const keyHash = key === null ? null : keyHashOf({ account, subject, metric, key });
    return { account, subject, metric, keyHash, ...rest };
  });

/** Imported events, mostly in order of time, some late; some keys are used twice. */
export const histories = fc
  .tuple(fc.array(event, { minLength: 1, maxLength: 60 }), fc.array(event, { maxLength: 6 }))
  .map(([ordered, late]) => [...ordered.sort((a, b) => (a.occurredAt ?? 0) - (b.occurredAt ?? 0)), ...late]);

/** One step in the life of an account; `afterMs` passes before it. */
export type Step = { readonly afterMs: number } & (
  | { readonly type: 'submit'; readonly commands: readonly UserCommand[] }
  /** Imports events that happened this many hours earlier, and ends the import. */
  | { readonly type: 'import'; readonly events: readonly RecordMetricEvent[]; readonly hoursBefore: number }
  | { readonly type: 'sweep' }
  | { readonly type: 'publish'; readonly document: unknown }
  | CorrectStep
);

/** Corrects some recorded events of a user. */
export interface CorrectStep {
  readonly type: 'correct';
  readonly subject: Subject;
  /** Indices of the events, counted back from the newest; those that do not exist are ignored. */
  readonly corrections: readonly ({ readonly place: number } & (
    | { readonly retract: true }
    | { readonly value?: Amount; readonly hoursBefore?: number; readonly occurredAt?: Instant; readonly tz?: string }
  ))[];
  readonly achievements: 'recompute' | 'keep';
  readonly finalRuns: 'keep' | 'change';
}

const changed = (...changes: readonly (readonly [string, string])[]): unknown => {
  const text = changes.reduce((before, [from, to]) => {
    if (!before.includes(from)) throw new Error(`the configuration has no ${from}`);
    return before.replace(from, to);
  }, HISTORY_CONFIGURATION);
  const { document, problems } = parseDocument(text, 'history');
  if (problems) throw new Error(JSON.stringify(problems));
  return document;
};

const STREAK = HISTORY_CONFIGURATION.slice(
  HISTORY_CONFIGURATION.indexOf('streak:\n'),
  HISTORY_CONFIGURATION.indexOf('achievements:\n'),
);
const ENERGY = HISTORY_CONFIGURATION.slice(
  HISTORY_CONFIGURATION.indexOf('  - key: energy\n'),
  HISTORY_CONFIGURATION.indexOf('leaderboards:\n'),
);
const FREEZES = 'achievements:\n';
const REMINDED = [
  'leaderboards:\n',
  'outgoing: { events: [streak.at_risk, emails.recap_due, emails.reactivation_due] }\nleaderboards:\n',
] as const;
const withFreezes = (terms: string) => [FREEZES, `  freezes: ${terms}\n${FREEZES}`] as const;

/** Versions that an account may publish, in any order and repeatedly. */
export const VERSIONS: readonly unknown[] = [
  changed(withFreezes('{ initial: 1, max: 2, earnEvery: 3, earn: 1 }'), REMINDED),
  changed(),
  changed(
    withFreezes('{ initial: 2, max: 3 }'),
    REMINDED,
    ['threshold: 2.5', 'threshold: 1.5'],
    ['maxPoints: 9', 'maxPoints: 5'],
  ),
  changed(
    ['frequency: daily', 'frequency: weekly'],
    ['interval: 7, points: 2', 'interval: 5, points: 1'],
    ['length: 2, points: 5', 'length: 1, points: 4'],
    ['maxParticipants: 2', 'maxParticipants: 3'],
  ),
  changed(
    ['  - { key: energy, name: Energy, rankBy', '  - { key: late, name: Late, rankBy'],
    ['value: 7.5', 'value: 3'],
  ),
  // Changes the terms of freezes and a condition within one generation.
  changed(
    withFreezes('{ initial: 0, max: 4, earnEvery: 1, earn: 2 }'),
    ['threshold: 2.5', 'threshold: 0.5'],
    ['    - { metric: lessons, threshold: 1 }\n', ''],
  ),
  // Lacks a metric trigger, an achievement and a board, which the other versions have.
  changed(
    ['      - { type: metric, metric: lessons, threshold: 1, points: 10 }\n', ''],
    ['  - { key: constructor, name: Many, trigger: { type: metric, metric: __proto__, value: 7.5 } }\n', ''],
    ['achievements: [constructor, streak]', 'achievements: [first, streak]'],
    [
      '  - { key: lessons, name: Lessons, rankBy: metric, metric: lessons, start: 2026-01-01, maxParticipants: 2 }\n',
      '',
    ],
  ),
  // Lacks the system of the time triggers. When it returns, the system still owes earlier awards.
  changed(
    [ENERGY, ''],
    [
      '  - { key: energy, name: Energy, rankBy: points, pointsSystem: energy, start: 2026-01-01, runUnit: day, runInterval: 7 }\n',
      '',
    ],
  ),
  // Levels follow what was earned, and boosts overlap for a time.
  changed([
    '    levels: [{ key: low, name: Low, points: 5 }',
    `    levelsBy: earned
    boosts:
      - { key: half, name: Half, multiplier: 0.5, rounding: nearest, start: 2026-03-10T00:00:00Z }
      - { key: more, name: More, multiplier: 3.33, start: 2026-03-08T00:00:00Z, end: 2026-03-13T06:00:00Z }
    levels: [{ key: low, name: Low, points: 5 }`,
  ]),
  // Caps of systems and of triggers.
  changed(
    ['    maxPoints: 9\n', '    maxPoints: 9\n    caps: [{ per: day, points: 4 }, { per: month, points: 12 }]\n'],
    ['threshold: 1, points: 10 }', 'threshold: 1, points: 10, cap: { per: day, points: 25 } }'],
    ['length: 2, points: 5 }', 'length: 2, points: 5, cap: { per: week, points: 7 } }'],
  ),
  changed(
    [
      '    levels: [{ key: low, name: Low, points: 5 }',
      '    caps: [{ per: week, points: 60 }]\n    levels: [{ key: low, name: Low, points: 5 }',
    ],
    ['threshold: 1, points: 10 }', 'threshold: 1, points: 10, cap: { per: day, points: 15 } }'],
  ),
  // Triggers and achievements that are active at times.
  changed(
    ['threshold: 1, points: 10 }', "threshold: 1, points: 10, activeUntil: '2026-03-14T00:00:00Z' }"],
    ['length: 2, points: 5 }', "length: 2, points: 5, activeFrom: '2026-03-10T06:00:00Z' }"],
    ['interval: 7, points: 2 }', "interval: 7, points: 2, activeUntil: '2026-03-16T00:00:00Z' }"],
    ['name: First, trigger', "name: First, activeFrom: '2026-03-09T00:00:00Z', trigger"],
    [
      'name: All, trigger',
      "name: All, activeFrom: '2026-03-08T00:00:00Z', activeUntil: '2026-03-20T00:00:00Z', trigger",
    ],
  ),
  // Lacks streaks.
  changed(
    [STREAK, ''],
    ['  - { key: streak, name: Streak, trigger: { type: streak, length: 2 } }\n', ''],
    ['achievements: [constructor, streak]', 'achievements: [constructor]'],
    ['      - { type: streak, length: 2, points: 5 }\n', ''],
    ['  - { key: streaks, name: Streaks, rankBy: streak, start: 2026-03-09, end: 2026-03-13 }\n', ''],
  ),
];

const HAPPY_HOURS: Grant = {
  ...{ kind: 'boost', system: 'xp', name: '__proto__', multiplier: 250, rounding: 'up', lasts: { minutes: 30 * 60 } },
};

/** Sometimes for a system that the version in force lacks, or without freezes or a streak configured. */
const granted: fc.Arbitrary<Grant> = fc.oneof(
  fc
    .record({
      system: fc.constantFrom('xp', 'energy'),
      amount: fc.bigInt({ min: -20n, max: 60n }).filter((amount) => amount !== 0n),
      boards: fc.boolean(),
    })
    .map(({ boards, ...points }): Grant => ({ kind: 'points', ...points, ...(!boards && { boards }) })),
  fc
    .record({ kind: fc.constant('freezes' as const), amount: fc.integer({ min: 1, max: 3 }) })
    .map((freezes): Grant => (freezes.amount < 3 ? freezes : HAPPY_HOURS)),
  fc.constant({ kind: 'streak' as const }),
  fc.record({ first: fc.integer({ min: 0, max: 40 }), days: fc.integer({ min: 1, max: 6 }) }).map(({ first, days }) => {
    const from = dayAt(FROM, 'UTC') + first;
    return { kind: 'excused' as const, from: formatDay(from), to: formatDay(from + days - 1) };
  }),
  fc.record({
    kind: fc.constantFrom('achievement' as const, 'revocation' as const),
    achievement: fc.constantFrom('first', 'constructor', 'streak', 'all', 'both'),
  }),
);

/** Sometimes for a user without events. */
export const grant: fc.Arbitrary<GiveGrant> = fc
  .record({
    subject: fc.constantFrom(...USERS).map(subjectOf),
    grant: granted,
    key: fc.oneof(fc.constant(null), fc.constantFrom('k1', 'k2')),
  })
  .map(({ key, ...rest }) => {
    const scope = { account: ACCOUNT, subject: rest.subject, metric: `grant:${rest.grant.kind}` };
    return {
      ...{ type: 'GiveGrant', account: ACCOUNT, ...rest },
      keyHash: key === null ? null : keyHashOf({ ...scope, key }),
      attribution: { by: 'local', reason: 'because' },
    };
  });

const SYSTEMS = fc.constantFrom('xp', 'energy');
const SPENT = 1_000_000;

const requested: fc.Arbitrary<
  Omit<SpendRequested, 'subject' | 'keyHash'> | Omit<RefundRequested, 'subject' | 'keyHash'>
> = fc.oneof(
  fc.record({ type: fc.constant('SpendRequested' as const), system: SYSTEMS, amount: fc.integer({ min: 1, max: 40 }) }),
  fc.record({
    type: fc.constant('RefundRequested' as const),
    system: SYSTEMS,
    spend: fc.integer({ min: 0, max: 2 }).map((place) => ({
      ...{ position: SPENT + place, eventId: `00000000-0000-7000-8000-00000000000${place}`, spent: place * 15 },
    })),
    amount: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 20 })),
  }),
);

/** Requests for points, sometimes in a system that the version in force lacks. The spends that refunds name are beyond the log: whether they are in it is for the caller to check. */
export const pointsRequest: fc.Arbitrary<RequestPoints> = fc
  .record({ subject: fc.constantFrom(...USERS).map(subjectOf), requested, key: fc.nat() })
  .map(({ subject, requested: asked, key }) => {
    const keyHash = keyHashOf({ account: ACCOUNT, subject, metric: `spend:${asked.system}`, key: String(key) });
    return { type: 'RequestPoints', account: ACCOUNT, subject, keyHash, request: { ...asked, subject, keyHash } };
  });

/** Later commands of the same user are refused. */
const erasure: fc.Arbitrary<EraseUser> = fc.record({
  type: fc.constant('EraseUser' as const),
  account: fc.constant(ACCOUNT),
  subject: fc.constantFrom(...USERS).map(subjectOf),
  boards: fc.constantFrom('remove' as const, 'anonymous' as const),
  attribution: fc.constant({ by: 'local', reason: 'because' }),
});

/** A user sets the time zone. */
export const identification: fc.Arbitrary<IdentifyUser> = fc.record({
  type: fc.constant('IdentifyUser' as const),
  account: fc.constant(ACCOUNT),
  subject: fc.constantFrom(...USERS).map(subjectOf),
  user: fc.constantFrom(...ZONES).map((tz) => ({ tz })),
});

const command: fc.Arbitrary<UserCommand> = fc.oneof(
  { weight: 24, arbitrary: event.map((one) => ({ ...one, occurredAt: null })) },
  { weight: 3, arbitrary: identification },
  { weight: 6, arbitrary: grant },
  { weight: 5, arbitrary: pointsRequest },
  { weight: 2, arbitrary: erasure },
);

const afterMs = fc.oneof(
  fc.integer({ min: 0, max: 8 }).map((hours) => hours * 3_600_000),
  fc.integer({ min: 0, max: 60 }).map((hours) => hours * 3_600_000 + 1),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      type: fc.constant('submit' as const),
      afterMs,
      commands: fc.array(command, { minLength: 1, maxLength: 4 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('sweep' as const), afterMs }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('import' as const),
      afterMs,
      events: fc.array(event, { minLength: 1, maxLength: 3 }),
      hoursBefore: fc.integer({ min: 0, max: 24 * 9 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('publish' as const), afterMs, document: fc.constantFrom(...VERSIONS) }),
  },
);

/**
 * Lives of an account with every kind of event that the log has: events, travel, grants, erasures, imports, sweeps,
 * publications, freezes.
 */
export const lives = fc.array(step, { minLength: 1, maxLength: 30 });

const correctionOf = fc.oneof(
  { weight: 3, arbitrary: fc.record({ place: fc.nat(8), retract: fc.constant(true as const) }) },
  fc.record(
    {
      place: fc.nat(8),
      value: fc.bigInt({ min: -3_000_000n, max: 8_000_000n }),
      hoursBefore: fc.integer({ min: 0, max: 60 }),
      tz: fc.constantFrom(...ZONES),
    },
    { requiredKeys: ['place'] },
  ),
);

const correct: fc.Arbitrary<Step> = fc.record({
  type: fc.constant('correct' as const),
  afterMs,
  subject: fc.constantFrom(...USERS).map(subjectOf),
  corrections: fc.uniqueArray(correctionOf, { minLength: 1, maxLength: 3, selector: ({ place }) => place }),
  achievements: fc.constantFrom('recompute' as const, 'keep' as const),
  finalRuns: fc.constantFrom('keep' as const, 'change' as const),
});

/**
 * Like {@link lives}, with corrections of users who are known from the beginning: amendments, and retractions, also of
 * corrections.
 */
export const correctedLives = fc
  .tuple(
    fc.array(event, { minLength: 4, maxLength: 12, size: 'max' }),
    fc.array(fc.oneof({ weight: 2, arbitrary: step }, { weight: 1, arbitrary: correct }), {
      minLength: 3,
      maxLength: 30,
    }),
  )
  .map(([events, steps]): readonly Step[] => {
    const commands = events.map((one) => ({ ...one, occurredAt: null, keyHash: null }));
    return [{ type: 'submit', afterMs: 0, commands }, ...steps];
  });

/** A life, and an event that is sent by mistake at some place in it. */
export const mistakes = fc.record({
  steps: lives,
  place: fc.nat(),
  event: event.map((one) => ({ ...one, occurredAt: null, keyHash: null })),
});

/** Identifies the mistaken event in `lateMistakes`. */
export const MISTAKE = 'mistake';

/**
 * Removes erasures of this user, and settles everybody before and after each publication, and before each import.
 * Otherwise two lives could settle a due award under different versions, and notice at different instants that a
 * publication ends a streak. And where a sweep gives an award in one life only, because it has no room in the other, an
 * event that is imported late would come after it in one life and before it in the other.
 */
const comparable = (steps: readonly Step[], subject: Subject): readonly Step[] =>
  steps.flatMap((one): readonly Step[] => {
    const settled: Step = { ...SETTLING, afterMs: one.afterMs };
    if (one.type === 'publish') return [settled, { ...one, afterMs: 0 }, SETTLING];
    if (one.type === 'import') return [settled, { ...one, afterMs: 0 }];
    return [keeping(one, subject)];
  });

/** The step without an erasure of this user. */
function keeping(one: Step, subject: Subject): Step {
  if (one.type !== 'submit') return one;
  const mayStay = (asked: UserCommand): boolean => asked.type !== 'EraseUser' || asked.subject !== subject;
  return { ...one, commands: one.commands.filter(mayStay) };
}

/** Settles everybody under the version in force. */
export const SETTLING = {
  type: 'submit' as const,
  afterMs: 0,
  commands: USERS.map((user) => ({
    type: 'IdentifyUser' as const,
    account: ACCOUNT,
    subject: subjectOf(user),
    user: {},
  })),
} satisfies Step;

/**
 * A life of users who are known from the beginning, with publications, erasures of other users, and one mistaken event
 * with its correction: nothing, or an event with another value.
 */
export const lateMistakes = fc
  .record({
    before: fc.array(step, { minLength: 1, maxLength: 20 }),
    after: fc.array(step, { minLength: 1, maxLength: 20 }),
    event: event.map((one) => ({ ...one, user: {}, keyHash: null, attributes: new Map([[MISTAKE, 'yes']]) })),
    hours: fc.integer({ min: 0, max: 24 * 4 }),
    value: fc.bigInt({ min: -3_000_000n, max: 8_000_000n }),
    should: fc.constantFrom('not have been' as const, 'have another value' as const),
  })
  .map(({ before, after, event: sent, hours, value, should }) => {
    const mistake = (one: RecordMetricEvent, hoursBefore: number): Step => ({
      ...{ type: 'import', afterMs: 0, events: [one], hoursBefore },
    });
    const right: Readonly<Record<typeof should, readonly Step[]>> = {
      'not have been': [],
      'have another value': [mistake({ ...sent, value }, hours)],
    };
    const change = {
      'not have been': { retract: true as const },
      'have another value': { value },
    }[should];
    const past = knownFor(sent);
    // Without this sweep, the mistaken event itself would settle what has fallen due; without the mistake, a later
    // sweep would, which the log does not record.
    const settled: Step = { type: 'sweep', afterMs: 0 };
    return {
      ...{
        past: [...past, ...comparable(before, sent.subject), settled],
        wrong: mistake(sent, hours),
        right: right[should],
      },
      ...{ after: comparable(after, sent.subject), change, subject: sent.subject },
    };
  });

/** Everybody has a first event, and four days pass, so that late events are after it. */
const knownFor = (one: RecordMetricEvent): readonly Step[] => [
  {
    ...{ type: 'submit', afterMs: 0 },
    commands: USERS.map((user) => ({
      ...{ ...one, subject: subjectOf(user), attributes: new Map<string, string>(), metric: 'lessons' },
      ...{ value: 1_000_000n, occurredAt: null },
    })),
  },
  { type: 'sweep', afterMs: 24 * 4 * 3_600_000 },
];

/** A life of users who are known from the beginning, and one event of it that may be reported late. */
export interface LateReport {
  readonly before: readonly Step[];
  readonly after: readonly Step[];
  readonly event: RecordMetricEvent;
}

/**
 * The event is reported in time or only at the end. Directly after its place, everybody has an event, before which the
 * late one belongs.
 */
export function lateReportOf({ before, after, event: { subject, ...rest } }: LateReport) {
  const report: RecordMetricEvent = {
    ...{ ...rest, subject, user: {}, keyHash: null, occurredAt: null, attributes: new Map([[MISTAKE, 'yes']]) },
  };
  const lived = (steps: readonly Step[]) => comparable(steps, subject).map((one) => withLastingBoosts(one, subject));
  const past = [...knownFor(report), ...lived(before)];
  const since: readonly Step[] = [{ ...SETTLING, afterMs: 1 }, ...lived(after)];
  const reported: Step = { type: 'submit', afterMs: 0, commands: [report] };
  return { inTime: [...past, reported, ...since], late: [...past, ...since, reported], subject };
}

/**
 * The step with boosts of this user that no life outlasts: one that has ended when an event is reported does not multiply
 * its award, also if the event is moved to before the end.
 */
function withLastingBoosts(one: Step, subject: Subject): Step {
  if (one.type !== 'submit') return one;
  const commands = one.commands.map((asked): UserCommand => {
    if (asked.type !== 'GiveGrant' || asked.subject !== subject || asked.grant.kind !== 'boost') return asked;
    return { ...asked, grant: { ...asked.grant, lasts: { minutes: 365 * 24 * 60 } } };
  });
  return { ...one, commands };
}

export const lateReports = fc
  .record({
    before: fc.array(step, { minLength: 1, maxLength: 20 }),
    after: fc.array(step, { minLength: 1, maxLength: 20 }),
    event,
  })
  .map(lateReportOf);

/**
 * Versions under which events count differently but due changes do not. So it makes no difference whether a sweep or an
 * event settles them, and under which version. A removed board, other freezes or another streak would make one.
 */
const COUNTING_DIFFERENTLY: readonly unknown[] = [
  [],
  [['threshold: 1, points: 10', 'threshold: 1, points: 20'] as const, ['threshold: 2.5', 'threshold: 0.5'] as const],
  [
    ['threshold: 0.5, points: -2', 'threshold: 2, points: 7'] as const,
    ['    - { metric: lessons, threshold: 1 }\n', ''] as const,
  ],
  [['value: 7.5', 'value: 3'] as const, ['length: 2, points: 5', 'length: 1, points: 4'] as const],
].map((changes) => changed(withFreezes('{ initial: 1, max: 2, earnEvery: 3, earn: 1 }'), ...changes));

const livedStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: step.filter(({ type }) => type === 'submit') },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ type: fc.constant('publish' as const), afterMs },
      document: fc.constantFrom(...COUNTING_DIFFERENTLY),
    }),
  },
);

/**
 * The same life with and without sweeps between its steps. Events of a user are moved back, at some time in it and at
 * its end.
 */
export const sweptOrNot = fc
  .record({
    steps: fc.array(fc.record({ lived: livedStep, part: fc.option(fc.double({ min: 0, max: 1, noNaN: true })) }), {
      ...{ minLength: 4, maxLength: 25, size: 'max' },
    }),
    event: event.map((one) => ({ ...one, user: {}, keyHash: null, occurredAt: null })),
    moves: fc.array(fc.record({ at: fc.nat(25), place: fc.nat(6), hoursBefore: fc.integer({ min: 1, max: 24 * 5 }) }), {
      ...{ minLength: 1, maxLength: 3 },
    }),
  })
  .map(({ steps, event: known, moves }) => {
    const { subject } = known;
    const moved = (at: number): readonly Step[] =>
      moves
        .filter((move) => Math.min(move.at, steps.length) === at)
        .map(({ place, hoursBefore }) => ({
          ...{ type: 'correct', afterMs: 0, subject, corrections: [{ place, hoursBefore }] },
          ...{ achievements: 'recompute', finalRuns: 'change' },
        }));
    const lived = (isSwept: boolean): readonly Step[] => [
      { type: 'publish', afterMs: 0, document: COUNTING_DIFFERENTLY[0] },
      ...knownFor(known),
      ...steps.flatMap(({ lived: one, part }, at) => [
        ...moved(at),
        ...(isSwept && part !== null ? swept(one, part) : [one]).map((step) => keeping(step, subject)),
      ]),
      ...moved(steps.length),
    ];
    return { swept: lived(true), unswept: lived(false) };
  });

/** Adds a sweep some time before the step. */
const swept = (one: Step, part: number): readonly Step[] => {
  const afterMs = Math.floor(one.afterMs * part);
  return [
    { type: 'sweep', afterMs },
    { ...one, afterMs: one.afterMs - afterMs },
  ];
};

export const BEGINNING: Instant = FROM;
