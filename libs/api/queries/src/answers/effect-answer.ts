import { formatDay, formatInstant } from '@laurel/calendar';
import { effectKind, type Effect, type EffectField, type EffectType, type EffectValues } from '@laurel/kernel';
import { jsonAmount, jsonInteger, namePointsSystem, type EffectAnswer } from '@laurel/schemas';
import { effectWords, type Named } from './event-words.ts';

/**
 * An effect with the fields of its declaration (days as dates, instants as ISO, amounts as numbers), followed by the
 * effect in words.
 */
export const effectAnswer = (effect: Effect, named: Named): EffectAnswer => ({
  type: effect.type,
  ...shownFields(effect),
  words: effectWords(effect, named),
});

/** Fields that only outcomes need, and that are therefore hidden. Fields that may be absent are hidden as well. */
const HIDDEN: { readonly [Type in EffectType]?: readonly (keyof Extract<Effect, { readonly type: Type }>)[] } = {
  StreakAtRisk: ['startedOn', 'extendedAt', 'expiresOn', 'held'],
  RankChanged: ['ordinal', 'previousValue', 'due'],
};

function shownFields(effect: Effect): Readonly<Record<string, unknown>> {
  const values = effect as unknown as Readonly<Record<string, unknown>>;
  const hidden: readonly string[] = HIDDEN[effect.type] ?? [];
  const fields = Object.entries(effectKind(effect.type).fields).filter(
    ([name, field]) => !hidden.includes(name) && !isOptional(field) && !isUncounted(name, values[name]),
  );
  return Object.assign({}, ...fields.map(([name, field]) => shownField(name, field, values[name])));
}

const isOptional = (field: EffectField): boolean => typeof field === 'string' && field.endsWith('?');

/** Whether an earlier release, which did not count participants, stored the rank change. */
const isUncounted = (name: string, value: unknown): boolean => name === 'participants' && value === null;

function shownField(name: string, field: EffectField, value: unknown): Readonly<Record<string, unknown>> {
  if (field === 'system' || field === 'system of trigger') return namePointsSystem(value as string);
  const kind = typeof field === 'object' && 'daysBefore' in field ? 'day' : field;
  const show = SHOWN_AS[kind as keyof EffectValues] as ((value: unknown) => unknown) | undefined;
  return { [name === 'day' ? 'date' : name]: show === undefined ? value : show(value) };
}

/** How values of a kind are shown. Values of other kinds are shown unchanged. */
const SHOWN_AS: { readonly [Kind in keyof EffectValues]?: (value: EffectValues[Kind]) => unknown } = {
  instant: formatInstant,
  'event instant': formatInstant,
  'due instant': formatInstant,
  day: formatDay,
  'day of at': formatDay,
  amount: (amount) => jsonAmount(BigInt(amount)),
  points: (points) => jsonInteger(BigInt(points)),
  'missing amounts': (missing) =>
    missing.map(({ metric, amount }) => ({ metric, missing: jsonAmount(BigInt(amount)) })),
  boost: ({ id, name }) => ({ id, name }),
  'metric totals': (totals) => totals.map(({ metric, total }) => ({ metric, total: jsonAmount(BigInt(total)) })),
};
