import type { Subject } from './subject.ts';
import type { Exact } from '@laurel/amounts';
import type { Day, Instant, Zone } from '@laurel/calendar';
import type { AttributeHashes } from '@laurel/profile';
import type { BoostedPoints } from './boost.ts';
import type { AwardTriggerType } from './configuration.ts';
import type { TriggerMiss } from './declarations/points-triggers.ts';
import type { UserEvent } from './events.ts';
import type { UserSwept } from './message.ts';

/** A recorded event with its context, as the areas apply it to one user. A sweep is one occasion for each user that it names. */
export interface Occasion {
  readonly account: string;
  readonly subject: Subject;
  readonly position: number;
  readonly eventId: string;
  readonly occurredAt: Instant;
  readonly recordedAt: Instant;
  readonly event: UserEvent | UserSwept;
  /** The metric and value of a metric event; null for other events. */
  readonly reported: ReportedMetric | null;
  /** What is known of the user after the event. The users area fills it in, and the streaks area `streakLength`; the areas behind read it. */
  readonly user: UserOnOccasion;
}

/** The value that a metric event adds. */
export interface ReportedMetric {
  /** The metric's index in the plan's version. */
  readonly metric: number;
  /** Millionths. */
  readonly value: Exact;
}

export interface UserOnOccasion {
  createdAt: Instant;
  /** The user's clock from this event on, and the one before it. */
  zone: Zone;
  previousZone: Zone;
  /** The day of the event's instant on the clock `zone`. */
  day: Day;
  /** The user's total of the reported metric, this event included; null for other events. */
  total: Exact | null;
  /** The hashes of the user's attributes after the event, and before it; absent while nothing is known of any. */
  attributeHashes?: AttributeHashes;
  previousAttributeHashes?: AttributeHashes;
  /** The user's totals after the event, by the metric's index: those of `judgedMetrics`; absent if these are none. */
  totals?: ReadonlyMap<number, Exact>;
  /** The length of the living streak after the event, 0 without one; absent unless `judgesStreak`. */
  streakLength?: number;
}

/** Hears why the rules decided as they did. An area calls it where it decides, so that no reason is computed a second way. */
export interface ExplanationListener {
  /** A points trigger fired, or a grant was given, also if its award was cut to nothing. */
  triggerFired(fired: TriggerFired): void;
  /** A points trigger on the metric counted the value and did not fire. */
  triggerMissed(missed: TriggerMissed): void;
  /** A points trigger had nothing to count, or what it counts was not reached. */
  triggerPassedOver(passedOver: TriggerPassedOver): void;
  /** An achievement that the occasion could have completed is still open. */
  achievementMissed(missed: AchievementMissed): void;
  /** A condition of the streak's current period, after the event. */
  conditionChecked(checked: ConditionChecked): void;
}

export interface TriggerFired {
  readonly system: string;
  /** Of a grant {@link GRANT_TRIGGER}. */
  readonly triggerId: string;
  readonly type: AwardTriggerType;
  readonly times: Exact;
  /** The points of the trigger times how often it fired. */
  readonly nominal: Exact;
  /** What multiplied `nominal`; absent if nothing did. */
  readonly boosted?: BoostedPoints | undefined;
  readonly awarded: Exact;
  /** The last cut that took something from the award; null if none did. */
  readonly cutBy: AwardCut | null;
}

/** What cuts awards, in this order; `cap` is `maxPoints`. */
export const AWARD_CUTS = ['trigger_cap', 'system_cap', 'cap', 'zero'] as const;
export type AwardCut = (typeof AWARD_CUTS)[number];

export interface TriggerMissed {
  readonly system: string;
  readonly triggerId: string;
  /** Millionths until the trigger fires next. */
  readonly missing: Exact;
}

export interface TriggerPassedOver {
  readonly system: string;
  readonly triggerId: string;
  readonly why: Exclude<TriggerMiss, 'below_threshold'>;
  /** How many periods longer the streak must be, for the reason `streak_length`; null for other reasons. */
  readonly missing: number | null;
}

export interface AchievementMissed {
  readonly achievement: string;
  readonly missing:
    | { readonly type: 'amount'; readonly have: Exact; readonly need: Exact }
    | { readonly type: 'count'; readonly have: number; readonly need: number }
    | { readonly type: 'achievements'; readonly achievements: readonly string[] }
    /** Nothing but an event within its window. */
    | { readonly type: 'window' }
    /** Nothing but attributes that its condition on users requires. */
    | { readonly type: 'user' };
}

export interface ConditionChecked {
  /** First day of the period. */
  readonly period: Day;
  readonly metric: string;
  readonly progress: Exact;
  readonly threshold: Exact;
  /** The period was met or bridged before this event, or is met by it. */
  readonly periodMet: boolean;
}

/** Hears in which points systems a trigger of the event itself fired. */
export class FiredSystems implements ExplanationListener {
  readonly systems = new Set<string>();

  triggerFired({ system, type }: TriggerFired): void {
    if (type !== 'time') this.systems.add(system);
  }
  triggerMissed(): void {}
  triggerPassedOver(): void {}
  achievementMissed(): void {}
  conditionChecked(): void {}
}
