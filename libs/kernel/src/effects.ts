import { EFFECTS, type AnyEffectKind, type EffectFields, type FieldValues } from './declarations/effects/index.ts';
import type { AreaName } from './area-names.ts';

type EffectOf<Type, Kind> = Kind extends { readonly fields: infer All extends EffectFields }
  ? FieldValues<{ readonly type: { readonly is: Type } } & All>
  : never;
type EffectsIn<Area extends AreaWithEffects> = {
  [Type in keyof Declared<Area>]: EffectOf<Type, Declared<Area>[Type]>;
}[keyof Declared<Area>];
type Declared<Area extends AreaWithEffects> = (typeof EFFECTS)[Area];
type AreaWithEffects = keyof typeof EFFECTS;

/**
 * The effects of a recorded event, one union for each area. Effects are stored to be read; they are never applied
 * again, because a rebuild computes them anew from the recorded events. Their fields are declared in
 * `declarations/effects`.
 */
export type Effect = UserEffect | StreakEffect | AchievementEffect | PointsEffect | LeaderboardEffect;
export type UserEffect = EffectsIn<'users'>;
export type StreakEffect = EffectsIn<'streaks'>;
export type AchievementEffect = EffectsIn<'achievements'>;
export type PointsEffect = EffectsIn<'points'>;
export type LeaderboardEffect = EffectsIn<'leaderboards'>;

export type EffectType = Effect['type'];

/**
 * The effects that may fire a rule: those that are final and have an instant. Others may not, because awards must not depend on when a
 * user is settled:
 * - the end of a streak, a used freeze and a kept period can be taken back by an excuse, a change of zone or a late import;
 * - a reminder exists only if the user is settled in time;
 * - the grouping of level changes and earned freezes into effects depends on when the user is settled.
 */
export type FiringType = { [Area in AreaWithEffects]: FiringIn<Declared<Area>> }[AreaWithEffects];
type FiringIn<Kinds> = {
  [Type in keyof Kinds]: Kinds[Type] extends { readonly stability: 'final'; readonly fields: { readonly at: unknown } }
    ? Type
    : never;
}[keyof Kinds];

type Named<Type extends EffectType> = Extract<Effect, { readonly type: Type }>;
export type RecapDue = Named<'RecapDue'>;
export type ReactivationDue = Named<'ReactivationDue'>;
export type StreakStarted = Named<'StreakStarted'>;
export type StreakExtended = Named<'StreakExtended'>;
export type StreakEnded = Named<'StreakEnded'>;
export type StreakAtRisk = Named<'StreakAtRisk'>;
export type PointsAwarded = Named<'PointsAwarded'>;
export type LevelChanged = Named<'LevelChanged'>;
export type RankChanged = Named<'RankChanged'>;

/**
 * Stand in place of a trigger's id, and of its type, in awards that no trigger of the configuration gave. Awards are stored by
 * the place in this list, so a new one comes last.
 */
export const BUILT_IN_TRIGGERS = ['grant', 'correction', 'spend', 'refund'] as const;
export type BuiltInTrigger = (typeof BUILT_IN_TRIGGERS)[number];
export const [GRANT_TRIGGER, CORRECTION_TRIGGER, SPEND_TRIGGER, REFUND_TRIGGER] = BUILT_IN_TRIGGERS;

export const isBuiltInTrigger = (triggerId: string): triggerId is BuiltInTrigger =>
  BUILT_IN_TRIGGERS.some((builtIn) => builtIn === triggerId);

/** The effects of one type, in order. */
export const effectsOfType = <Type extends EffectType>(effects: readonly Effect[], type: Type) =>
  effects.filter((effect): effect is Named<Type> => effect.type === type);

/** An effect with its area and its declaration. */
export interface DeclaredEffect {
  readonly type: EffectType;
  readonly area: AreaName;
  readonly kind: AnyEffectKind;
}

/** All effects, in the order of the areas. */
export const DECLARED_EFFECTS: readonly DeclaredEffect[] = Object.entries(EFFECTS).flatMap(([area, kinds]) =>
  Object.entries(kinds).map(([type, kind]) => ({ type, area, kind }) as DeclaredEffect),
);

const KINDS: ReadonlyMap<string, DeclaredEffect> = new Map(
  DECLARED_EFFECTS.map((declared) => [declared.type, declared]),
);

/** The area and the declaration of an effect. */
export const declaredEffect = (type: EffectType): DeclaredEffect => KINDS.get(type) as DeclaredEffect;
export const effectKind = (type: EffectType): AnyEffectKind => declaredEffect(type).kind;
