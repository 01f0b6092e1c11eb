import type { Instant } from '@laurel/calendar';
import type { UserCommand, CompleteAchievement, Subject } from '@laurel/kernel';
import fc from 'fast-check';
import { ACCOUNT } from '../histories/account.ts';
import { BEGINNING, event, grant, identification, pointsRequest, USERS } from '../histories/histories.ts';
import { subjectOf } from '../subjects.ts';
import { CALLED } from './configurations.ts';

/** Something that a user did, or that was done to the user, at an instant. */
export interface StoryEvent {
  readonly at: Instant;
  readonly command: UserCommand;
}

/** The lives of a few users, in the order of instants. */
export interface Life {
  readonly happenings: readonly StoryEvent[];
  /** Instants in the life, ascending, at which a sweep or a read may happen. */
  readonly looks: readonly Instant[];
  /** The instant at which everybody is settled, after all events. */
  readonly last: Instant;
}

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

const completion: fc.Arbitrary<CompleteAchievement> = fc.record({
  type: fc.constant('CompleteAchievement' as const),
  account: fc.constant(ACCOUNT),
  subject: fc.constantFrom(...USERS).map(subjectOf),
  achievement: fc.constant(CALLED),
  user: fc.constant({}),
});

const command: fc.Arbitrary<UserCommand> = fc.oneof(
  { weight: 20, arbitrary: event.map((one) => ({ ...one, occurredAt: null, keyHash: null })) },
  { weight: 3, arbitrary: identification },
  { weight: 2, arbitrary: completion },
  { weight: 6, arbitrary: grant },
  { weight: 5, arbitrary: pointsRequest },
);

const firstOf = (happenings: readonly StoryEvent[]): Instant => happenings[0]?.at ?? BEGINNING;

const between = (from: Instant, to: Instant, share: number): Instant => from + Math.floor((to - from) * share);

/** Mostly whole hours, so that something often falls due exactly at the instant of an event. */
const pauseMs = fc.oneof(
  { weight: 14, arbitrary: fc.integer({ min: 0, max: 8 }).map((hours) => hours * HOUR_MS) },
  { weight: 3, arbitrary: fc.integer({ min: 6, max: 40 }).map((hours) => hours * HOUR_MS) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 120 }).map((hours) => hours * HOUR_MS + 1) },
);

const part = fc.double({ min: 0, max: 1, noNaN: true });

/** Some time in the life, or exactly at the instant of an event. */
const look = fc.oneof(
  part.map((share) => (happenings: readonly StoryEvent[], last: Instant) => between(firstOf(happenings), last, share)),
  fc
    .nat()
    .map((index) => (happenings: readonly StoryEvent[]) => happenings[index % happenings.length]?.at ?? BEGINNING),
);

const steps = fc.array(fc.record({ command, pauseMs }), { minLength: 10, maxLength: 40, size: 'max' });

/**
 * Lives of two to four users: events with changes of zone, identifications, completions by API call, and grants of all
 * kinds.
 */
export const lives: fc.Arbitrary<Life> = fc
  .record({
    users: fc.shuffledSubarray(USERS.map(subjectOf), { minLength: 2 }),
    steps,
    looks: fc.array(look, { maxLength: 8 }),
    restMs: fc.integer({ min: 0, max: 300 }).map((hours) => hours * HOUR_MS),
  })
  .map(({ users, steps: told, looks, restMs }) => {
    const happenings = happeningsOf(users, told);
    const last = (happenings.at(-1)?.at ?? BEGINNING) + restMs;
    return { happenings, looks: looks.map((at) => at(happenings, last)).sort((a, b) => a - b), last };
  });

function happeningsOf(users: readonly Subject[], told: readonly { command: UserCommand; pauseMs: number }[]) {
  const known = new Set<Subject>();
  let at = BEGINNING;
  return told.map(({ command: asked, pauseMs: passed }): StoryEvent => {
    at += passed;
    const subject = users[USERS.map(subjectOf).indexOf(asked.subject) % users.length] as Subject;
    const isRefused = needsKnownUser(asked) && !known.has(subject);
    known.add(subject);
    return { at, command: isRefused ? { ...IDENTIFIED, subject } : ofUser(asked, subject) };
  });
}

const needsKnownUser = ({ type }: UserCommand): boolean => type === 'GiveGrant' || type === 'RequestPoints';

const ofUser = (asked: UserCommand, subject: Subject): UserCommand =>
  asked.type === 'RequestPoints'
    ? { ...asked, subject, request: { ...asked.request, subject } }
    : { ...asked, subject };

const IDENTIFIED = { type: 'IdentifyUser' as const, account: ACCOUNT, user: {} };

/** A life that may end with a sweep, followed by an event with an earlier instant. */
export const lateReports = fc
  .record({ life: lives, event, hoursBefore: fc.integer({ min: 0, max: 36 }) })
  .map(({ life, event: reported, hoursBefore }) => {
    const occurredAt = Math.max(BEGINNING, life.last - hoursBefore * HOUR_MS);
    const late = { at: life.last, command: { ...reported, keyHash: null, occurredAt } };
    return { life: { ...life, last: life.last + WEEK_MS }, late };
  });

/** A life, and an instant in it at which the next version is published. */
export const publications = fc
  .record({ life: lives, share: part })
  .map(({ life, share }) => ({ life, at: between(firstOf(life.happenings) + 1, life.last + 1, share) }));
