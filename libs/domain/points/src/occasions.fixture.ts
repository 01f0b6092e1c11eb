import { parseDay, type Instant } from '@laurel/calendar';
import {
  EffectList,
  type Configuration,
  type Effect,
  type Occasion,
  type PointsTrigger,
  type ExplanationListener,
  type TriggerFired,
  type TriggerMissed,
  type TriggerPassedOver,
  type UserOnOccasion,
} from '@laurel/kernel';
import { identification, metricEvent, type Happened } from '@laurel/kernel/fixtures';
import { ACCOUNT, at, configuration, HOUR, pointsSystem, USER } from './points.fixture.ts';
import type { PointsPlan } from './rules/points-plan.ts';
import { pointsRules } from './rules/points.ts';
import type { PointsState } from './rules/points-state.ts';

export const START = at('2024-03-01T12:00:00Z');
export const DAY = parseDay('2024-03-01');
export const UNITS = 1_000_000;

/** The instant this many hours after `START`. */
export const hoursLater = (hours: number): Instant => START + hours * HOUR;

/** Collects the reasons of one event. */
class CollectedExplanations implements ExplanationListener {
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

/** An event of a user, with the effects of the areas before points. */
export interface StoryEvent {
  readonly at?: Instant;
  /** Default: `at`. */
  readonly recordedAt?: Instant;
  readonly happened?: Happened;
  readonly earlier?: readonly Effect[];
  readonly user?: Partial<UserOnOccasion>;
}

/** An event on the metric `commits`, or on another metric by its index in the configuration. */
export const reported = (value: number, at: Instant = START, metric = 0): StoryEvent => ({
  at,
  happened: metricEvent(metric, value),
});
/** An event without a metric. */
export const identified = (at: Instant = START): StoryEvent => ({ at });
export const caused = (earlier: readonly Effect[], { at = START, ...rest }: StoryEvent = {}): StoryEvent => ({
  ...rest,
  at,
  earlier: earlier.map((effect) => ('at' in effect && effect.at === START ? { ...effect, at } : effect)),
});

export const created: Effect = { type: 'UserCreated', at: START };
export const extended = (length: number): Effect => ({ type: 'StreakExtended', at: START, length, period: DAY });
export const completed = (achievement: string, at = START): Effect => ({
  type: 'AchievementCompleted',
  achievement,
  at,
});

/** Applies one user's events to the rules of points alone, for the effects of each and their reasons. */
export class PointsStory {
  readonly #under: Configuration;
  readonly #plan: PointsPlan;
  readonly #state: PointsState;
  #position = 1;

  /** @param total the points in each system of the user, who was created at `START` */
  constructor(under: Configuration, total = 0n) {
    this.#under = under;
    this.#plan = pointsRules.compile(under);
    const systems = under.pointsSystems.map(({ key }) => [key, String(total), START, []]);
    const stored = { v: 1, createdAt: START, zone: 'UTC', position: this.#position, systems };
    this.#state = pointsRules.decode(stored, this.#plan);
  }

  given(...happenings: readonly StoryEvent[]): this {
    for (const each of happenings) this.when(each);
    return this;
  }

  /** Applies an event. Returns its effects on points, in order. */
  when(happens: StoryEvent, reasons: ExplanationListener | null = null): readonly Effect[] {
    const { at: occurredAt = START, recordedAt = occurredAt, happened = identification() } = happens;
    const { earlier = [], user: known = {} } = happens;
    const user = { createdAt: START, zone: 'UTC', previousZone: 'UTC', day: DAY, total: null, ...known };
    const position = ++this.#position;
    const occasion: Occasion = {
      ...EVENT,
      eventId: `e${position}`,
      position,
      occurredAt,
      recordedAt,
      ...happened,
      user,
    };
    const out = new EffectList(occasion, this.#under, reasons, earlier);
    pointsRules.apply(this.#state, occasion, this.#plan, out);
    return out.effects.slice(earlier.length);
  }

  /** Why triggers fired, or did not fire, with the event. */
  why(
    happens: StoryEvent,
  ): Pick<CollectedExplanations, 'fired' | 'missed' | 'passedOver'> & { effects: readonly Effect[] } {
    const reasons = new CollectedExplanations();
    const effects = this.when(happens, reasons);
    const { fired, missed, passedOver } = reasons;
    return { effects, fired, missed, passedOver };
  }
}

const EVENT = { account: ACCOUNT, subject: USER, eventId: 'e' };

/** A story under one points system `xp`. */
export const storyOf = (
  triggers: readonly PointsTrigger[],
  fields: Parameters<typeof pointsSystem>[2] = {},
  total = 0n,
): PointsStory => new PointsStory(configuration([pointsSystem('xp', triggers, fields)]), total);
