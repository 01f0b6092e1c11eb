import type { Instant } from '@laurel/calendar';
import type { ConfiguredNames } from './configured-names.ts';
import { compileEffect, type CompiledEffect, type StoredEffect } from './compile-effect.ts';
import { EFFECTS, type AnyEffectKind } from './declarations/effects/index.ts';
import type { AchievementEffect, Effect, PointsEffect, StreakEffect, UserEffect } from './effects.ts';
import { EffectsRow, type Stored } from './stored-values.ts';

type AtEvent = { readonly occurredAt: Instant };

/**
 * The column of an event's row with the effects of one area as JSON, in the order in which they happened. The
 * declarations of the effects define their stored form. A row is read with the version under which it was written.
 */
class EffectColumn<One extends Effect> {
  readonly #byType = new Map<string, CompiledEffect>();
  /** By tag; null for lists that begin with a number. */
  readonly #byTag = new Map<Stored, CompiledEffect>();
  #number: CompiledEffect | undefined;
  #negative: CompiledEffect | undefined;

  constructor(kinds: Readonly<Record<string, AnyEffectKind>>) {
    for (const [type, kind] of Object.entries(kinds)) this.#declare(type, kind);
  }

  #declare(type: string, kind: AnyEffectKind): void {
    const { stored } = kind;
    if (stored === null) return;
    const compiled = compileEffect(type, kind);
    this.#byType.set(type, compiled);
    if ('number' in stored) this.#number = compiled;
    else if ('negative' in stored) this.#negative = compiled;
    else this.#byTag.set(stored[0], compiled);
  }

  /** null if the event changed nothing in the area. Effects of other areas are left out. */
  encode(effects: readonly Effect[], { occurredAt }: AtEvent, names: ConfiguredNames): string | null {
    const row = new EffectsRow(occurredAt, names);
    const stored: StoredEffect[] = [];
    for (const effect of effects) {
      const compiled = this.#byType.get(effect.type);
      if (compiled !== undefined) stored.push(compiled.write(effect, row));
    }
    return stored.length === 0 ? null : JSON.stringify(stored);
  }

  /** @throws RangeError for names or effects of an unknown version */
  decode(stored: string, { occurredAt }: AtEvent, names: ConfiguredNames): readonly One[] {
    const row = new EffectsRow(occurredAt, names);
    const effects: One[] = [];
    for (const one of this.parse(stored)) effects.push(this.#kindOf(one).read(one, row) as One);
    return effects;
  }

  /** Parses a row without decoding it, for callers that need only some of its effects. */
  parse(stored: string): readonly StoredEffect[] {
    return JSON.parse(stored) as readonly StoredEffect[];
  }

  /** @throws RangeError as {@link decode} */
  typeOf(stored: StoredEffect): One['type'] {
    return this.#kindOf(stored).type as One['type'];
  }

  /** @throws RangeError as {@link decode} */
  read(stored: StoredEffect, { occurredAt }: AtEvent, names: ConfiguredNames): One {
    return this.#kindOf(stored).read(stored, new EffectsRow(occurredAt, names)) as One;
  }

  #kindOf(stored: StoredEffect): CompiledEffect {
    const found = typeof stored === 'number' ? this.#ofNumber(stored) : this.#byTag.get(tagOf(stored));
    if (found === undefined) throw new RangeError(`no effect has the stored form ${JSON.stringify(stored)}`);
    return found;
  }

  #ofNumber(stored: number): CompiledEffect | undefined {
    return stored < 0 ? this.#negative : this.#number;
  }
}

function tagOf(list: readonly Stored[]): Stored {
  const first = list[0];
  return typeof first === 'string' ? first : null;
}

/** The columns of the areas. Leaderboards have none: their effects are rows of `rank_changes`. */
export const EFFECT_COLUMNS = {
  users: new EffectColumn<UserEffect>(EFFECTS.users),
  streaks: new EffectColumn<StreakEffect>(EFFECTS.streaks),
  achievements: new EffectColumn<AchievementEffect>(EFFECTS.achievements),
  points: new EffectColumn<PointsEffect>(EFFECTS.points),
};
