import { dayAt, type Day, type Instant, type Zone } from '@laurel/calendar';
import type { Configuration } from './configuration.ts';
import { DECLARED_EFFECTS, type Effect, type EffectType, type FiringType, type LeaderboardEffect } from './effects.ts';
import type { ExplanationListener, UserOnOccasion } from './occasion.ts';

/** When an effect happened. The kernel works it out, so that no rule gives an effect an instant of its own choice (ADR 0053). */
export interface Stamp {
  readonly at: Instant;
  /** The user's clock in force at that instant. */
  readonly zone: Zone;
  /** The configuration version in force at that instant. */
  readonly version: number;
  /** True: it fell due at that instant, at or before the event. False: the event itself caused it. */
  readonly due: boolean;
}

/** An effect as a rule emits it: without the fields that follow from its stamp. */
export type Unstamped = WithoutStamp<UserAreaEffect>;
type UserAreaEffect = Exclude<Effect, LeaderboardEffect>;
type WithoutStamp<One> = One extends { readonly due: boolean; readonly day: Day }
  ? Omit<One, 'at' | 'due' | 'day'>
  : One extends UserAreaEffect
    ? Omit<One, 'at' | 'due'>
    : never;

type FiringEffect<Type extends FiringType = FiringType> = Extract<Effect, { readonly type: Type }>;

/** An effect that fires a rule. What the rule emits into `emitter` inherits the stamp. */
export interface Firing<Type extends FiringType = FiringType> {
  readonly effect: FiringEffect<Type>;
  /** Whether the effect fell due. */
  readonly due: boolean;
  readonly emitter: Emitter;
}

/** Where the rules of an area emit their effects. */
export interface Emitter {
  /** What is emitted here bears this stamp. */
  readonly stamp: Stamp;
  emit(effect: Unstamped): void;
  /** For what fell due at an instant, at or before the event, on the clock before the event. */
  dueAt(at: Instant): Emitter;
  /** The effects so far of these types: what fell due, by its instant, then what the event itself caused. */
  firings<Type extends FiringType>(...types: readonly Type[]): readonly Firing<Type>[];
  /** A list of the same occasion for what may not have happened after all. */
  aside(): EffectList;
  /** Adds the effects of a list that was put {@link aside}. */
  take(aside: EffectList): void;
  /** Hears why the rules decide as they do; null: nobody asks, and nothing is worked out for it. */
  readonly reasons: ExplanationListener | null;
}

/** What stamps are made of: an occasion, or an instant at which somebody looks. */
export interface Moment {
  readonly occurredAt: Instant;
  readonly user: Pick<UserOnOccasion, 'zone' | 'previousZone' | 'day'>;
}

/** Somebody looks at a user at an instant, and nothing is recorded. */
export const momentAt = (occurredAt: Instant, zone: Zone): Moment => ({
  occurredAt,
  user: { zone, previousZone: zone, day: dayAt(occurredAt, zone) },
});

type Versions = Pick<Configuration, 'version' | 'inForce'>;

/** Keeps the effects of one occasion. */
export class EffectList implements Emitter {
  readonly effects: Effect[] = [];
  readonly reasons: ExplanationListener | null;
  readonly #moment: Moment;
  readonly #versions: Versions;
  /** The bits of the types that it holds. */
  #fired = 0;

  /**
   * @param moment the occasion. It is read when an effect is emitted, because the users area fills in its user
   * @param before those of areas that have applied the occasion elsewhere
   */
  constructor(
    moment: Moment,
    versions: Versions,
    reasons: ExplanationListener | null = null,
    before: readonly Effect[] = NO_EFFECTS,
  ) {
    this.#moment = moment;
    this.#versions = versions;
    this.reasons = reasons;
    this.add(before);
  }

  get stamp(): Stamp {
    const { occurredAt: at, user } = this.#moment;
    return { at, zone: user.zone, version: this.#versions.version, due: false };
  }

  emit(effect: Unstamped): void {
    const { occurredAt, user } = this.#moment;
    this.#add(stamped(effect, occurredAt, false, user.day));
  }

  /** What {@link dueAt} emits. */
  emitDue(effect: Unstamped, at: Instant): void {
    const day = STAMPING[effect.type].day ? dayAt(at, this.#moment.user.previousZone) : 0;
    this.#add(stamped(effect, at, true, day));
  }

  dueAt(at: Instant): Emitter {
    return new DueEmitter(this, at);
  }

  firings<Type extends FiringType>(...types: readonly Type[]): readonly Firing<Type>[] {
    let asked = 0;
    for (const type of types) asked |= STAMPING[type].bit;
    if ((this.#fired & asked) === 0) return NOTHING_FIRED;
    const found: FiringOf<Type>[] = [];
    let anyDue = false;
    for (const effect of this.effects) {
      if (!isOneOf<Type>(asked, effect)) continue;
      const due = this.#isDue(effect);
      anyDue ||= due;
      found.push(new FiringOf(effect, due, this));
    }
    return anyDue ? found.sort(byDueInstant) : found;
  }

  aside(): EffectList {
    return new EffectList(this.#moment, this.#versions);
  }

  take(aside: EffectList): void {
    this.add(aside.effects);
  }

  /** Adds effects that have their stamps: no rule can, because {@link Emitter} does not have it. */
  add(effects: readonly Effect[]): void {
    for (const effect of effects) this.#add(effect);
  }

  #add(effect: Effect): void {
    this.#fired |= bitOf(effect);
    this.effects.push(effect);
  }

  /** An effect that another process has made comes without its stamp, which follows from it all the same. */
  #isDue(effect: FiringEffect): boolean {
    return 'due' in effect ? effect.due : effect.at !== this.#moment.occurredAt;
  }

  /** The clock before the event, and the version in force at that instant. */
  stampOf(at: Instant): Stamp {
    return { at, zone: this.#moment.user.previousZone, version: versionAt(this.#versions, at), due: true };
  }
}

class FiringOf<Type extends FiringType> implements Firing<Type> {
  readonly effect: FiringEffect<Type>;
  readonly due: boolean;
  readonly #list: EffectList;

  constructor(effect: FiringEffect<Type>, due: boolean, list: EffectList) {
    this.effect = effect;
    this.due = due;
    this.#list = list;
  }

  get emitter(): Emitter {
    const { at }: FiringEffect = this.effect;
    return this.due ? this.#list.dueAt(at) : this.#list;
  }
}

/** What fell due, by its instant, then what the event itself caused, as it was emitted. */
function byDueInstant(one: Firing, other: Firing): number {
  if (one.due !== other.due) return one.due ? -1 : 1;
  return one.due ? one.effect.at - other.effect.at : 0;
}

/** Emits what fell due at one instant. */
class DueEmitter implements Emitter {
  readonly #list: EffectList;
  readonly #at: Instant;

  constructor(list: EffectList, at: Instant) {
    this.#list = list;
    this.#at = at;
  }

  get stamp(): Stamp {
    return this.#list.stampOf(this.#at);
  }

  get reasons(): ExplanationListener | null {
    return this.#list.reasons;
  }

  emit(effect: Unstamped): void {
    this.#list.emitDue(effect, this.#at);
  }

  dueAt(at: Instant): Emitter {
    return this.#list.dueAt(at);
  }

  firings<Type extends FiringType>(...types: readonly Type[]): readonly Firing<Type>[] {
    return this.#list.firings(...types);
  }

  aside(): EffectList {
    return this.#list.aside();
  }

  take(aside: EffectList): void {
    this.#list.take(aside);
  }
}

const isOneOf = <Type extends FiringType>(bits: number, effect: Effect): effect is FiringEffect<Type> =>
  (bits & bitOf(effect)) !== 0;

/** The version in force at an instant, among those up to the one under which the event is applied. */
export function versionAt({ version, inForce }: Versions, at: Instant): number {
  let found = inForce ?? null;
  while (found !== null && found.since > at) found = found.before;
  return found?.version ?? version;
}

/** The fields of an effect that follow from its stamp, and a bit of its own for each type that fires rules. */
interface Stamping {
  readonly at: boolean;
  readonly due: boolean;
  readonly day: boolean;
  readonly bit: number;
}

const STAMPING = stampings();

function stampings(): Readonly<Record<EffectType, Stamping>> {
  let next = 1;
  const all = DECLARED_EFFECTS.map(({ type, kind: { fields, stability } }) => {
    const [at, due] = ['at' in fields, 'due' in fields];
    const bit = stability === 'final' && at ? next : 0;
    if (bit > 0) next *= 2;
    return [type, { at, due, day: due && 'day' in fields, bit }] as const;
  });
  return Object.fromEntries(all) as Record<EffectType, Stamping>;
}

const bitOf = (effect: Effect): number => STAMPING[effect.type].bit;

type Stampable = { -readonly [Field in keyof Unstamped]: Unstamped[Field] } & {
  at?: Instant;
  due?: boolean;
  day?: Day;
};

/** Completes the effect that a rule has made for it. */
function stamped(effect: Unstamped, at: Instant, due: boolean, day: Day): Effect {
  const stamping = STAMPING[effect.type];
  const made = effect as Stampable;
  if (stamping.at) made.at = at;
  if (stamping.due) made.due = due;
  if (stamping.day) made.day = day;
  return made as Effect;
}

const NO_EFFECTS: readonly Effect[] = [];
const NOTHING_FIRED: readonly never[] = [];
