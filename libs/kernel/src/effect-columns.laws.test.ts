import { exactOf } from '@laurel/amounts';
import fc from 'fast-check';
import type { Boost, BoostDefinition } from './boost.ts';
import { namesWith, NO_NAMES } from './configured-names.ts';
import type { EffectField, EffectValues, ValueKind } from './declarations/effects/index.ts';
import { EFFECT_COLUMNS } from './effect-columns.ts';
import { CORRECTION_TRIGGER, DECLARED_EFFECTS, GRANT_TRIGGER, type DeclaredEffect, type Effect } from './effects.ts';

const EVENT = { occurredAt: Date.parse('2024-03-29T23:30:00.123Z') };
const TODAY = Math.floor(EVENT.occurredAt / 86_400_000);

type Version = Parameters<typeof namesWith>[1];
const keyed = (...keys: readonly string[]) => keys.map((key) => ({ key }));
const boosts: readonly BoostDefinition[] = [150, 33].map((multiplier) => ({
  ...{ id: 'b', key: 'b', name: '__proto__', multiplier, rounding: 'up', start: 5, end: multiplier === 33 ? null : 7 },
  where: null,
}));
/** Two of the configuration, and one that a user was given. */
const own: Boost[] = [
  ...boosts.map(({ key: _, where: __, ...boost }) => boost),
  { id: 'own', name: 'Own', multiplier: 1, rounding: 'nearest', start: 1, end: 2 },
];
const systems = [
  { key: 'xp', triggers: [{ id: 'a' }, { id: 'b' }], boosts },
  { key: '__proto__', triggers: [{ id: 'c' }], boosts: [] },
];
const names = namesWith(NO_NAMES, {
  metrics: keyed('commits', '__proto__'),
  achievements: keyed('first', '10'),
  leaderboards: [],
  pointsSystems: systems,
} as unknown as Version);
const triggers = systems.flatMap(({ key, triggers: own }) =>
  [...own.map(({ id }) => id), GRANT_TRIGGER, CORRECTION_TRIGGER].map((id) => [key, id] as const),
);

const amount = fc.oneof(
  fc.integer(),
  fc.integer({ min: -9_000_000, max: 9_000_000 }).map((whole) => whole * 1_000_000),
  fc.bigInt(-(10n ** 30n), 10n ** 30n).map(exactOf),
);
const day = fc.oneof(fc.constantFrom(0, 1, -1, -30), fc.integer({ min: -400, max: 400 })).map((days) => TODAY + days);
const instant = fc.constantFrom(0, 0, -1, -86_400_000, 5, -EVENT.occurredAt).map((later) => EVENT.occurredAt + later);
const key = fc.constantFrom('commits', '__proto__');

/** Of each kind, all that it may hold. Fields that follow from others are {@link completed}. */
const VALUES: { readonly [Kind in ValueKind]: fc.Arbitrary<EffectValues[Kind] | undefined> } = {
  // Lengths and the like begin with 1; what is left out at the end may be 0.
  count: fc.nat(5_000),
  boolean: fc.boolean(),
  mark: fc.constant(true),
  instant,
  'event instant': fc.constant(EVENT.occurredAt),
  'due instant': instant,
  'fell due': fc.boolean(),
  day,
  'day of at': fc.integer({ min: -1, max: 1 }),
  zone: fc.constantFrom('UTC', 'Asia/Tokyo'),
  metric: key,
  system: fc.constantFrom('xp', '__proto__'),
  achievement: fc.constantFrom('first', '10'),
  board: fc.constant('all'),
  level: fc.option(fc.constantFrom('10', '__proto__', 'level')),
  trigger: fc.nat(triggers.length - 1).map(String),
  'system of trigger': fc.constant(undefined),
  amount,
  'amount or null': fc.option(amount),
  points: amount,
  'count or null': fc.option(fc.nat()),
  'streak after': fc.record({ startedOn: day, expiresOn: day, held: fc.nat(3) }),
  'missing amounts': fc.array(fc.record({ metric: key, amount }), { maxLength: 3 }),
  'metric totals': fc.array(fc.record({ metric: key, total: amount }), { maxLength: 3 }),
  boost: fc.constantFrom(...own),
  boosts: fc.subarray(own, { minLength: 1 }),
};

function valuesOf(field: EffectField): fc.Arbitrary<unknown> {
  if (typeof field === 'object') return fc.constant('is' in field ? field.is : undefined);
  const kind = field.replace(/\?$/, '') as ValueKind;
  const values: fc.Arbitrary<unknown> = VALUES[kind];
  return kind === field ? values : fc.option(values, { nil: undefined });
}

const effectOf = ({ type, kind: { fields } }: DeclaredEffect): fc.Arbitrary<Effect> =>
  fc
    .record(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, valuesOf(field)])))
    .map((values) => completed({ type, ...values }, fields) as unknown as Effect);

/** With what follows from other fields, and without what is absent. */
function completed(effect: Record<string, unknown>, fields: Readonly<Record<string, EffectField>>) {
  for (const [name, field] of Object.entries(fields)) {
    if (typeof field === 'object' && 'days' in field) effect[name] = (effect[field.daysBefore] as number) - field.days;
    if (field === 'trigger') [effect['system'], effect[name]] = triggers[Number(effect[name])] ?? [];
    if (field === 'due instant' && effect['due'] === false) effect[name] = EVENT.occurredAt;
    if (field === 'day of at') effect[name] = Math.floor((effect['at'] as number) / 86_400_000) + Number(effect[name]);
    if (effect[name] === undefined) delete effect[name];
  }
  return effect;
}

const stored = DECLARED_EFFECTS.filter(({ kind }) => kind.stored !== null);
const effects = fc.array(fc.oneof(...stored.map(effectOf)), { maxLength: 8 });

describe('the columns of stored effects', () => {
  it.each(stored)('decode an effect of type $type to what was encoded', (declared) => {
    fc.assert(
      fc.property(effectOf(declared), (effect) => {
        const column = EFFECT_COLUMNS[declared.area as keyof typeof EFFECT_COLUMNS];
        const text = column.encode([effect], EVENT, names);
        expect(column.decode(text ?? '', EVENT, names)).toEqual([effect]);
      }),
    );
  });

  it('hold all effects of their areas in order', () => {
    fc.assert(
      fc.property(effects, (caused) => {
        for (const [area, column] of Object.entries(EFFECT_COLUMNS)) {
          const own = caused.filter(({ type }) => stored.some((one) => one.type === type && one.area === area));
          const text = column.encode(caused, EVENT, names);
          expect(text === null ? [] : column.decode(text, EVENT, names)).toEqual(own);
          expect(text === null).toBe(own.length === 0);
        }
      }),
    );
  });
});
