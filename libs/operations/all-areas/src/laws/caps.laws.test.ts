import { localDate, periodOf, type Frequency, type Instant, type LocalDate } from '@laurel/calendar';
import { compileHistory } from '@laurel/configuration';
import {
  effectsOfType,
  type Configuration,
  type Effect,
  type ExplanationListener,
  type PointsCap,
  type PointsSystemDefinition,
  type Subject,
  type TriggerFired,
  type UserCommand,
} from '@laurel/kernel';
import { assertCovering } from '@laurel/testing/laws';
import { AccountStory, CountedBoosts, publications, republications, type StoryEvent } from '@laurel/testing/stories';
import fc from 'fast-check';

const HOUR_MS = 3_600_000;
const FREQUENCIES: Readonly<Record<PointsCap['per'], Frequency>> = { day: 'daily', week: 'weekly', month: 'monthly' };
const RECORDS: readonly UserCommand['type'][] = ['RecordMetricEvent', 'IdentifyUser', 'CompleteAchievement'];

/** What was given of an award that a cap counts, and the first date of the period in which the cap counts it. */
interface Given {
  readonly cap: string;
  readonly period: LocalDate;
  readonly points: bigint;
}

/** When an award is given. */
interface Dated {
  readonly date: LocalDate;
  readonly instant: Instant;
  readonly isLate: boolean;
  readonly recordedAt: Instant;
}

/** Multiplies and cuts a user's awards by the specification, from lists of what happened, without the rules of points. */
class CappedUser {
  readonly #given: Given[] = [];
  readonly #boosts = new CountedBoosts();
  readonly #totals = new Map<string, bigint>();
  #zone = 'UTC';
  #latest: Instant = -Infinity;
  #date: LocalDate = '0001-01-01';
  readonly seen: string[] = [];

  /** @param fired what the rules say has fired, in order @param effects all effects of the same event */
  happens(
    { at, command }: StoryEvent,
    fired: readonly TriggerFired[],
    effects: readonly Effect[],
    under: Configuration,
  ) {
    for (const { at: dueAt, system, awarded } of effectsOfType(effects, 'PointsAwarded').filter(({ due }) => due)) {
      this.#reach(dueAt);
      this.#add(system, BigInt(awarded));
    }
    if ('user' in command && command.user.tz !== undefined) this.#zone = command.user.tz ?? 'UTC';
    const instant = 'occurredAt' in command ? (command.occurredAt ?? at) : at;
    const date = localDate(instant, this.#zone);
    const isLate = instant < this.#latest;
    if (RECORDS.includes(command.type)) this.#reach(instant);
    const own = fired.filter(({ type }) => type !== 'time');
    const given = own.map((trigger) => this.#give(trigger, { date, instant, isLate, recordedAt: at }, under));
    this.#boosts.happens({ at, command });
    return given;
  }

  #reach(instant: Instant): void {
    const date = localDate(instant, this.#zone);
    if (instant > this.#latest) this.#latest = instant;
    if (date > this.#date) this.#date = date;
  }

  #add(system: string, points: bigint): void {
    this.#totals.set(system, (this.#totals.get(system) ?? 0n) + points);
  }

  #give(
    { system, triggerId, type, nominal }: TriggerFired,
    { date, instant, isLate, recordedAt }: Dated,
    under: Configuration,
  ) {
    const definition = under.pointsSystemByKey.get(system) as PointsSystemDefinition;
    const counting = capsOf(definition, triggerId).flatMap(({ id, cap, cutBy }) => {
      const first = (one: LocalDate) =>
        periodOf(one, { frequency: FREQUENCIES[cap.per], weekStart: under.weekStart }).start;
      const [period, current] = [first(date), first(this.#date)];
      if (isLate && period < current) {
        this.seen.push('free of a cap');
        return [];
      }
      if (period < current) this.seen.push('dated before the present period');
      return [{ id, cap, cutBy, period: period > current ? period : current }];
    });
    const boosted = this.#boosts.multiplied(BigInt(nominal), { type, instant, recordedAt }, definition);
    let [points, cutBy]: [bigint, string | null] = [boosted ?? BigInt(nominal), null];
    const cutTo = (room: bigint, by: string) => {
      if (points > room) [points, cutBy] = [room, by];
    };
    if (points > 0n)
      for (const { id, cap, cutBy: by, period } of counting) {
        const used = this.#given.filter((one) => one.cap === id && one.period === period);
        const room = cap.points - used.reduce((sum, one) => sum + one.points, 0n);
        if (room < 0n) this.seen.push('a cap below what it has given');
        cutTo(room < 0n ? 0n : room, by);
      }
    const total = this.#totals.get(system) ?? 0n;
    if (points > 0n && definition.maxPoints !== null)
      cutTo(definition.maxPoints > total ? definition.maxPoints - total : 0n, 'cap');
    if (points < -total) [points, cutBy] = [-total, 'zero'];
    this.#add(system, points);
    if (points > 0n) for (const { id, period } of counting) this.#given.push({ cap: id, period, points });
    if (type === 'grant' ? points !== 0n : points > 0n && counting.length > 0) this.#reach(instant);
    if (boosted !== null) this.seen.push(boosted === 0n ? 'boosted to nothing' : 'boosted');
    if (boosted !== null && cutBy !== null && cutBy !== 'cap') this.seen.push('boosted, then cut by a cap');
    if (cutBy !== null) this.seen.push(points === 0n ? `${cutBy}, nothing left` : cutBy);
    return { system, triggerId, boosted, awarded: points, cutBy };
  }
}

function capsOf({ key, caps, triggers }: PointsSystemDefinition, triggerId: string) {
  const trigger = triggers.find(({ id }) => id === triggerId);
  if (trigger === undefined || !('cap' in trigger)) return [];
  const own = trigger.cap;
  return [
    ...(own === null ? [] : [{ id: `${triggerId} ${own.per}`, cap: own, cutBy: 'trigger_cap' }]),
    ...caps.map((cap) => ({ id: `${key} ${cap.per}`, cap, cutBy: 'system_cap' })),
  ];
}

class Fired implements ExplanationListener {
  all: TriggerFired[] = [];
  triggerFired(fired: TriggerFired): void {
    this.all.push(fired);
  }
  triggerMissed(): void {}
  triggerPassedOver(): void {}
  achievementMissed(): void {}
  conditionChecked(): void {}
}

/** By how many hours each event of a life is reported late, over and over; most are not. */
const delays = fc.array(
  fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 200 }) }),
  { minLength: 1, maxLength: 9 },
);

function reportedLate({ at, command }: StoryEvent, hours: number): StoryEvent {
  if (command.type !== 'RecordMetricEvent' || hours === 0) return { at, command };
  return { at, command: { ...command, occurredAt: at - hours * HOUR_MS } };
}

const OFTEN = ['trigger_cap', 'system_cap', 'trigger_cap, nothing left', 'system_cap, nothing left', 'cap'];
const SOMETIMES = [
  'boosted, then cut by a cap',
  'boosted to nothing',
  'free of a cap',
  'dated before the present period',
];
const RARELY = ['a cap below what it has given'];

describe('caps', () => {
  it('cut boosted awards as an independent count does, over late events, changes of zone, grants and a publication', async () => {
    const seen = new Map<string, number>();
    const atLeast = (times: number, names: readonly string[]) =>
      Object.fromEntries(names.map((what) => [what, (seen.get(what) ?? 0) >= times]));
    await assertCovering(
      fc.asyncProperty(republications, publications, delays, async ([before, after], { life, at: published }, late) => {
        const history = compileHistory('default', [
          { version: 1, document: before, publishedAt: 0 },
          { version: 2, document: after, publishedAt: published },
        ]);
        const reasons = new Fired();
        const account = new AccountStory({ history, reasons });
        const users = new Map<Subject, CappedUser>();
        for (const [place, told] of life.happenings.entries()) {
          const happening = reportedLate(told, late[place % late.length] ?? 0);
          if (happening.at >= published && account.configuration.version === 1) account.publish();
          const user = happening.command.subject;
          const counted = users.get(user) ?? new CappedUser();
          users.set(user, counted);
          const known = account.effectsOf(user).length;
          reasons.all = [];
          await account.happens(happening);
          const effects = account.effectsOf(user).slice(known);
          const expected = counted.happens(happening, reasons.all, effects, account.configuration);
          const fired = reasons.all.filter(({ type }) => type !== 'time');
          expect(
            fired.map(({ system, triggerId, boosted, awarded, cutBy }) => ({
              system,
              triggerId,
              boosted: boosted === undefined ? null : BigInt(boosted.points),
              awarded: BigInt(awarded),
              cutBy,
            })),
          ).toEqual(expected);
        }
        for (const what of [...users.values()].flatMap((user) => user.seen)) seen.set(what, (seen.get(what) ?? 0) + 1);
      }),
      { numRuns: 120 },
      () => ({ ...atLeast(100, OFTEN), ...atLeast(20, SOMETIMES), ...atLeast(3, RARELY) }),
    );
  });
});
