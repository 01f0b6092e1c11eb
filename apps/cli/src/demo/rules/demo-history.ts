import { addDays, formatInstant, localDate, type Instant } from '@laurel/calendar';
import { learnerOf, type Learner } from './learner.ts';
import { seededRandom } from './random.ts';
import { studyOf, type StudyEvent } from './study.ts';

export interface DemoPlan {
  readonly seed: number;
  readonly users: number;
  readonly days: number;
  /** The history ends before this instant. */
  readonly until: Instant;
}

/** An event in the form of an import. */
export interface DemoEvent {
  readonly metric: string;
  readonly user: {
    readonly id: string;
    readonly name?: string;
    readonly tz?: string;
    readonly attributes?: Readonly<Record<string, string>>;
  };
  readonly value: number;
  readonly timestamp: string;
  readonly idempotencyKey: string;
}

/** The attribute of a demo's users whose value is {@link runOf} of its plan. */
export const RUN_ATTRIBUTE = 'demo';

/** The part of a plan that determines its history. A plan with more users contains the users of a smaller one. */
export const runOf = ({ seed, days, until }: DemoPlan): string => `${seed}-${days}-${formatInstant(until)}`;

const DAY_MS = 86_400_000;

interface Dated {
  readonly at: Instant;
  readonly event: DemoEvent;
}

/**
 * The history of a study app: deterministic for a plan, in order of time over all users, with every key once. Some
 * users of the plan have not begun before it ends.
 */
export function demoHistory(plan: DemoPlan): readonly DemoEvent[] {
  const events: Dated[] = [];
  for (let number = 1; number <= plan.users; number++) events.push(...eventsOf(plan, number));
  return events.sort((one, other) => one.at - other.at).map(({ event }) => event);
}

function eventsOf(plan: DemoPlan, number: number): readonly Dated[] {
  const random = seededRandom(plan.seed, number);
  const from = plan.until - plan.days * DAY_MS;
  const learner = learnerOf(random, number, plan.days);
  // Begins a day early: a clock ahead of UTC begins its dates earlier.
  return studyOf(random, learner, addDays(localDate(from, 'UTC'), -1), plan.days + 1)
    .filter(({ at }) => from <= at && at < plan.until)
    .map((study, index, all) => ({ at: study.at, event: asEvent(runOf(plan), learner, study, all[index - 1], index) }));
}

/** The first event introduces the learner; a later one reports a new zone after a trip. */
function asEvent(
  run: string,
  learner: Learner,
  study: StudyEvent,
  before: StudyEvent | undefined,
  index: number,
): DemoEvent {
  const { id, name } = learner;
  const { metric, value, at, zone } = study;
  const user =
    before === undefined
      ? { id, name, tz: zone, attributes: { [RUN_ATTRIBUTE]: run } }
      : { id, ...(before.zone !== zone && { tz: zone }) };
  return { metric, user, value, timestamp: formatInstant(at), idempotencyKey: `demo-${run}-${index + 1}` };
}
