import { parseDay } from '@laurel/calendar';
import {
  EffectList,
  type Cause,
  type Configuration,
  type Effect,
  type Occasion,
  type PointsTrigger,
  type Reasons,
  type TriggerFired,
  type TriggerMissed,
  type TriggerPassedOver,
  type UserOnOccasion,
} from '@laurel/kernel';
import { ACCOUNT, at, configuration, pointsSystem, USER } from './points.fixture.ts';
import { pointsRules } from './rules/points.ts';

export const START = at('2024-03-01T12:00:00Z');
export const DAY = parseDay('2024-03-01');
export const UNITS = 1_000_000;

/** Collects the reasons of one event. */
class Told implements Reasons {
  readonly fired: TriggerFired[] = [];
  readonly missed: TriggerMissed[] = [];
  readonly passedOver: TriggerPassedOver[] = [];

  triggerFired(fired: TriggerFired): void {
    this.fired.push(fired);
  }
  triggerMissed(missed: TriggerMissed): void {
    this.missed.push(missed);
  }
  triggerPassedOver(passedOver: TriggerPassedOver): void {
    this.passedOver.push(passedOver);
  }
  achievementMissed(): void {}
  conditionChecked(): void {}
}

/** One event of a user, and what the areas before have made of it. */
export interface Step {
  readonly at?: number;
  readonly cause?: Cause;
  readonly earlier?: readonly Effect[];
  readonly user?: Partial<UserOnOccasion>;
}

const PROFILE: Cause = { type: 'ProfileReported', fields: {} };
export const reported = (value: number, metric = 0): Cause => ({ type: 'MetricReported', metric, value, fields: {} });
export const created: Effect = { type: 'UserCreated', at: START };
export const extended = (length: number): Effect => ({ type: 'StreakExtended', at: START, length, period: DAY });
export const completed = (achievement: string): Effect => ({ type: 'AchievementCompleted', achievement, at: START });

/** What an event itself caused in the areas before bears its instant; at `START` stands for that. */
const atStep =
  (at: number) =>
  (effect: Effect): Effect =>
    'at' in effect && effect.at === START ? { ...effect, at } : effect;

/** What each event caused, and why. The user was created at `START`, and has `total` points in each system. */
export function life(under: Configuration, total: bigint, steps: readonly Step[], reasons = true) {
  const plan = pointsRules.compile(under);
  const systems = under.pointsSystems.map(({ key }) => [key, String(total), START, []]);
  const state = pointsRules.decode({ v: 1, createdAt: START, zone: 'UTC', position: 1, systems }, plan);
  return steps.map(({ at: occurredAt = START, cause = PROFILE, earlier = [], user: known = {} }, index) => {
    const told = new Told();
    const user = { createdAt: START, zone: 'UTC', previousZone: 'UTC', day: DAY, total: null, ...known };
    const occasion: Occasion = { ...EVENT, position: index + 2, occurredAt, recordedAt: occurredAt, cause, user };
    const sink = new EffectList(occasion, under, reasons ? told : null, earlier.map(atStep(occurredAt)));
    pointsRules.apply(state, occasion, plan, sink);
    return {
      effects: sink.effects.slice(earlier.length),
      fired: told.fired,
      missed: told.missed,
      passedOver: told.passedOver,
    };
  });
}

const EVENT = { account: ACCOUNT, subject: USER, eventId: 'e' };
export const one = (triggers: readonly PointsTrigger[], fields: Parameters<typeof pointsSystem>[2] = {}) =>
  configuration([pointsSystem('xp', triggers, fields)]);
export const last = (under: Configuration, total: bigint, ...steps: readonly Step[]) =>
  life(under, total, steps).at(-1)!;
