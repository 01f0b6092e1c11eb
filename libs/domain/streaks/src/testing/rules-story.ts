import { amountFromNumber, exactOf } from '@laurel/amounts';
import { dayAt, parseDay, type Day, type Instant, type Zone } from '@laurel/calendar';
import {
  EffectList,
  type ConditionChecked,
  type Effect,
  type Grant,
  type Occasion,
  type ExplanationListener,
  type StreakDefinition,
} from '@laurel/kernel';
import {
  completionByCall,
  erasure,
  grantOf,
  identification,
  metricEvent,
  sweep,
  type Happened,
} from '@laurel/kernel/fixtures';
import type { StreaksPlan } from '../rules/streaks-plan.ts';
import { streaksRules } from '../rules/streaks.ts';
import type { StreaksState } from '../rules/streaks-state.ts';
import { configurationOf, definitionOf, instantOf, type EventGiven } from './streak-story.ts';

const ADA = 279_199_768_985_790;

type StoryEventType = Exclude<Happened['event']['type'], 'CorrectionRecorded'>;

/** An event of a user at an instant, with the zone that it reports. */
export interface StoryEvent {
  readonly at: Instant;
  readonly kind: StoryEventType;
  readonly metric?: string;
  readonly value?: number;
  readonly tz?: Zone;
  readonly grant?: Grant;
}

const happening = (
  kind: StoryEventType,
  at: string,
  rest: EventGiven & Pick<StoryEvent, 'grant'> = {},
): StoryEvent => ({
  kind,
  at: instantOf(at),
  ...rest,
});

export const event = (at: string, given?: EventGiven) => happening('MetricEventRecorded', at, given);
export const identified = (at: string, tz?: Zone) =>
  happening('UserIdentified', at, { ...(tz !== undefined && { tz }) });
export const completed = (at: string) => happening('AchievementCompletedByCall', at);
export const swept = (at: string) => happening('UserSwept', at);

export const erased = (at: string) => happening('UserErased', at);

export const granted = (at: string, grant: Grant) => happening('GrantRecorded', at, { grant });

/** First day of a period. */
export const day = (date: string): Day => parseDay(date);

/** Collects the checks of a period's conditions. */
export class CheckedConditions implements ExplanationListener {
  readonly checked: ConditionChecked[] = [];

  conditionChecked(checked: ConditionChecked): void {
    this.checked.push(checked);
  }
  triggerFired(): void {}
  triggerMissed(): void {}
  triggerPassedOver(): void {}
  achievementMissed(): void {}
}

/** Applies one user's events to the rules alone, for the effects of each and their reasons. */
export class RulesStory {
  state: StreaksState;
  plan: StreaksPlan;
  zone: Zone;
  #createdAt: Instant | null = null;
  #definition: StreakDefinition | null;

  constructor(definition: StreakDefinition | null = definitionOf(), zone: Zone = 'UTC', atRisk: number | null = null) {
    this.#definition = definition;
    this.plan = streaksRules.compile(configurationOf(definition, atRisk));
    this.state = streaksRules.initial(this.plan);
    this.zone = zone;
  }

  given(...happenings: readonly StoryEvent[]): this {
    for (const each of happenings) this.when(each);
    return this;
  }

  /** Changes the definition from the next event on. */
  published(definition: StreakDefinition | null, atRisk: number | null = null): this {
    const plan = streaksRules.compile(configurationOf(definition, atRisk));
    this.state = streaksRules.decode(streaksRules.encode(this.state, this.plan), plan);
    this.plan = plan;
    this.#definition = definition;
    return this;
  }

  /** Applies an event. Returns its effects, in order. */
  when(happens: StoryEvent, reasons: ExplanationListener | null = null): readonly Effect[] {
    const occasion = this.#occasion(happens);
    const out = new EffectList(occasion, { version: 1 }, reasons);
    this.state = streaksRules.clone(this.state);
    streaksRules.apply(this.state, occasion, this.plan, out);
    return out.effects;
  }

  /** The checks of conditions that a metric event makes. */
  why(happens: StoryEvent): readonly ConditionChecked[] {
    const reasons = new CheckedConditions();
    this.when(happens, reasons);
    return reasons.checked;
  }

  #occasion({ at, tz, ...rest }: StoryEvent): Occasion {
    const previousZone = this.zone;
    const zone = (this.zone = tz ?? this.zone);
    const createdAt = (this.#createdAt ??= at);
    return {
      account: 'default',
      subject: ADA,
      position: 1,
      eventId: 'e1',
      occurredAt: at,
      recordedAt: at,
      ...this.#happened(rest),
      user: { createdAt, zone, previousZone, day: dayAt(at, zone), total: null },
    };
  }

  #happened({
    kind,
    metric = 'steps',
    value = 1,
    grant = { kind: 'streak' },
  }: Omit<StoryEvent, 'at' | 'tz'>): Happened {
    switch (kind) {
      case 'MetricEventRecorded': {
        const index = configurationOf(this.#definition).metrics.findIndex(({ key }) => key === metric);
        return metricEvent(index, exactOf(amountFromNumber(value)!));
      }
      case 'UserIdentified':
        return identification();
      case 'AchievementCompletedByCall':
        return completionByCall('profile');
      case 'GrantRecorded':
        return grantOf(grant);
      case 'SpendRequested':
      case 'RefundRequested':
        throw new Error('a streak knows no points');
      case 'UserErased':
        return erasure();
      case 'UserSwept':
        return sweep();
    }
  }
}
