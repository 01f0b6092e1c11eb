import { dayAt, type Day, type Instant, type Zone } from '@laurel/calendar';
import type { AttributeHashes } from '@laurel/profile';
import type { Configuration } from './configuration.ts';
import { DECLARED_EFFECTS, type Effect, type EffectType, type FiringType, type LeaderboardEffect } from './effects.ts';
import type { ExplanationListener, UserOnOccasion } from './occasion.ts';

/** When an effect happened. The kernel computes it, so no rule can choose an instant for an effect (ADR 0053). */
export interface Stamp {
  readonly at: Instant;
  /** When the event was recorded. */
  readonly recordedAt: Instant;
  /** The user's clock in force at that instant. */
  readonly zone: Zone;
  /** The hashes of the attributes that the user was known to have at that instant; undefined without any. */
  readonly attributeHashes: AttributeHashes | undefined;
  /** The configuration version in force at that instant. */
  readonly version: number;
  /** True if the effect fell due at that instant, at or before the event; false if the event itself caused it. */
  readonly due: boolean;
}

/** An effect as a rule emits it, without the fields that its stamp determines. */
export type Unstamped = WithoutStamp<UserAreaEffect>;
type UserAreaEffect = Exclude<Effect, LeaderboardEffect>;
type WithoutStamp<One> = One extends { readonly due: boolean; readonly day: Day }
  ? Omit<One, 'at' | 'due' | 'day'>
  : One extends UserAreaEffect
    ? Omit<One, 'at' | 'due'>
    : never;

type FiringEffect<Type extends FiringType = FiringType> = Extract<Effect, { readonly type: Type }>;

/** An effect that fires a rule. Effects that the rule emits into `emitter` get the same stamp. */
export interface Firing<Type extends FiringType = FiringType> {
  readonly effect: FiringEffect<Type>;
  /** Whether the effect fell due. */
  readonly due: boolean;
  readonly emitter: Emitter;
}

/** Where the rules of an area emit their effects. */
export interface Emitter {
  /** The stamp of effects emitted here. */
  readonly stamp: Stamp;
  emit(effect: Unstamped): void;
  /** Emits effects that fell due at an instant, at or before the event, on the clock before the event. */
  dueAt(at: Instant): Emitter;
  /** The effects of these types so far: first those that fell due, by instant, then those of the event itself. */
  firings<Type extends FiringType>(...types: readonly Type[]): readonly Firing<Type>[];
  /** A separate list for the same event, for effects that may have to be dropped. */
  aside(): EffectList;
  /** Adds the effects of a list made by {@link aside}. */
  take(aside: EffectList): void;
  /** Receives the reasons of the rules. null if nobody wants them; then none are computed. */
  readonly reasons: ExplanationListener | null;
}

/** Determines stamps: an event, or an instant at which a user is viewed. */
export interface Moment {
  readonly occurredAt: Instant;
  readonly recordedAt: Instant;
  readonly user: Pick<UserOnOccasion, 'zone' | 'previousZone' | 'day' | 'attributeHashes' | 'previousAttributeHashes'>;
}

/** An instant at which a user is viewed, without an event. */
export const momentAt = (occurredAt: Instant, zone: Zone): Moment => ({
  occurredAt,
  recordedAt: occurredAt,
  user: { zone, previousZone: zone, day: dayAt(occurredAt, zone) },
});

type Versions = Pick<Configuration, 'version' | 'inForce'>;

/** Collects the effects of one event. */
export class EffectList implements Emitter {
  readonly effects: Effect[] = [];
  readonly reasons: ExplanationListener | null;
  readonly #moment: Moment;
  readonly #versions: Versions;
  /** The bits of the effect types in the list. */
  #fired = 0;

  /**
   * @param moment the event. It is read for each effect, because the users area fills in its user
   * @param before effects of areas that have applied the event in other processes
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
    const { occurredAt: at, recordedAt, user } = this.#moment;
    const { zone, attributeHashes } = user;
    return { at, recordedAt, zone, attributeHashes, version: this.#versions.version, due: false };
  }

  emit(effect: Unstamped): void {
    const { occurredAt, user } = this.#moment;
    this.#add(stamped(effect, occurredAt, false, user.day));
  }

  /** Emits an effect for {@link dueAt}. */
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

  /** Adds effects that already have their stamps. No rule can call it, because {@link Emitter} does not have it. */
  add(effects: readonly Effect[]): void {
    for (const effect of effects) this.#add(effect);
  }

  #add(effect: Effect): void {
    this.#fired |= bitOf(effect);
    this.effects.push(effect);
  }

  /** Effects of other processes arrive without a stamp, so this is computed from their fields. */
  #isDue(effect: FiringEffect): boolean {
    return 'due' in effect ? effect.due : effect.at !== this.#moment.occurredAt;
  }

  /** The stamp for an earlier instant: clock and attributes before the event, and the version in force then. */
  stampOf(at: Instant): Stamp {
    const { recordedAt, user } = this.#moment;
    const { previousZone: zone, previousAttributeHashes: attributeHashes } = user;
    return { at, recordedAt, zone, attributeHashes, version: versionAt(this.#versions, at), due: true };
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

/** Sorts effects that fell due by instant, before those of the event itself, which keep their order. */
function byDueInstant(one: Firing, other: Firing): number {
  if (one.due !== other.due) return one.due ? -1 : 1;
  return one.due ? one.effect.at - other.effect.at : 0;
}

/** Emits effects that fell due at one instant. */
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

/** The version in force at an instant; never a later one than that under which the event is applied. */
export function versionAt({ version, inForce }: Versions, at: Instant): number {
  let found = inForce ?? null;
  while (found !== null && found.since > at) found = found.before;
  return found?.version ?? version;
}

/** The fields of an effect that its stamp determines, and a separate bit for each type that fires rules. */
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

/** Adds the fields of the stamp to an effect. */
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
