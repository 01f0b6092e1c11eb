import fc from 'fast-check';
import {
  AREAS,
  type Configuration,
  type LeaderboardDefinition,
  type Metric,
  type PointsSystemDefinition,
  type Recorded,
  type Replayed,
  type AnswerParts,
} from '@laurel/kernel';
import { writeJson } from '@laurel/schemas';
import { sampleConfiguration } from '@laurel/testing/http-modules';
import { assertCovering } from '@laurel/testing/laws';
import { composeEventAnswer } from './event-answer.ts';
import { writeEventAnswer } from './event-answer-text.ts';

const sample = sampleConfiguration('default');
const metric = sample.metricByKey.get('commits') as Metric;
const [board, system] = [sample.leaderboards[0], sample.pointsSystems[0]] as [
  LeaderboardDefinition,
  PointsSystemDefinition,
];

const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '\\', '\0total\0', '\ud800', 'Ü'));
const keys = fc.oneof(fc.constantFrom('__proto__', 'constructor', '10', '2', 'toString', 'a'), texts);
const dates = fc.constantFrom('2026-06-01', '2026-12-31');
const integers = fc.oneof(fc.bigInt(), fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n }), fc.constant(0n));
const ranks = fc.option(fc.integer({ min: 1 }));
const instants = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) });
const perhaps = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const byKey = <T extends { readonly key: string }>(all: readonly T[]) => new Map(all.map((one) => [one.key, one]));

/** The sample, with other keys and texts: what a configuration fixes in an answer. */
const configurations = fc
  .record({
    boards: fc.uniqueArray(fc.record({ key: keys, name: texts, description: fc.option(texts) }), {
      selector: ({ key }) => key,
      maxLength: 4,
    }),
    systems: fc.uniqueArray(fc.record({ key: keys, name: texts, maxPoints: fc.option(integers) }), {
      selector: ({ key }) => key,
      maxLength: 4,
    }),
    freezes: fc.option(
      fc.record({ initial: fc.nat(), max: fc.nat(), earnEvery: fc.option(fc.nat()), earn: fc.option(fc.nat()) }),
    ),
  })
  .map(({ boards, systems, freezes }): Configuration => {
    const leaderboards = boards.map((own) => ({ ...board, ...own }));
    const pointsSystems = systems.map((own) => ({ ...system, ...own }));
    return {
      ...sample,
      streak: sample.streak && { ...sample.streak, freezes },
      leaderboards,
      leaderboardByKey: byKey(leaderboards),
      pointsSystems,
      pointsSystemByKey: byKey(pointsSystems),
    };
  });

const triggerIds = fc.constantFrom('removed', ...system.triggers.map(({ id }) => id));
const levels = fc.constantFrom(undefined, null, 'none', ...system.levels.map(({ key }) => key));

const sectionsOf = ({
  leaderboards,
  pointsSystems,
  achievements,
}: Configuration): fc.Arbitrary<Partial<AnswerParts>> => {
  const boardKeys = fc.constantFrom('unknown', ...leaderboards.map(({ key }) => key));
  const systemKeys = fc.constantFrom('unknown', ...pointsSystems.map(({ key }) => key));
  const view = {
    length: fc.nat(),
    frequency: fc.constantFrom('daily' as const, 'weekly' as const),
    started: fc.option(dates),
    periodStart: fc.option(dates),
    periodEnd: fc.option(dates),
    expires: fc.option(dates),
    extendedAt: fc.option(instants),
    freezes: fc.nat(),
  };
  return fc.record({
    users: perhaps(fc.record({ total: fc.option(integers) })),
    streaks: perhaps(
      fc.record({
        extended: fc.boolean(),
        streak: fc.record(view, {
          requiredKeys: ['length', 'frequency', 'started', 'periodStart', 'periodEnd', 'expires', 'extendedAt'],
        }),
        changes: fc.constant([]),
      }),
    ),
    achievements: perhaps(
      fc.record({
        completed: fc.array(
          fc.record({ key: fc.constantFrom('unknown', ...achievements.map(({ key }) => key)), achievedAt: instants }),
          { maxLength: 2 },
        ),
      }),
    ),
    points: perhaps(
      fc.record({
        awards: fc.array(
          fc.record({
            id: texts,
            system: systemKeys,
            triggerId: triggerIds,
            awarded: integers,
            total: integers,
            at: instants,
            date: dates,
            due: fc.boolean(),
          }),
          { maxLength: 5 },
        ),
        systems: fc.uniqueArray(
          fc
            .tuple(fc.record({ key: systemKeys, total: integers, added: integers }), levels)
            .map(([outcome, level]) => (level === undefined ? outcome : { ...outcome, level })),
          { maxLength: 5, selector: ({ key }) => key },
        ),
      }),
    ),
    leaderboards: perhaps(
      fc.record({
        boards: fc.uniqueArray(
          fc.record({
            key: boardKeys,
            runStart: dates,
            runEnd: fc.option(dates),
            previousRank: ranks,
            rank: ranks,
            threshold: integers,
          }),
          { maxLength: 5, selector: ({ key }) => key },
        ),
      }),
    ),
  }) as unknown as fc.Arbitrary<Partial<AnswerParts>>;
};

const outcomes = configurations.chain((configuration) =>
  fc.record({
    kind: fc.constantFrom('recorded' as const, 'replayed' as const),
    eventId: texts,
    position: fc.nat(),
    occurredAt: instants,
    configuration: fc.constant(configuration),
    sections: sectionsOf(configuration),
    pending: fc.subarray([...AREAS]),
  }),
);

describe('the text of an event answer', () => {
  it('equals the composed answer byte by byte', async () => {
    let parts = 0;
    await assertCovering(
      fc.property(outcomes, fc.option(texts), (made, idempotencyKey) => {
        const outcome = made as unknown as Recorded | Replayed;
        const answer = composeEventAnswer(outcome, { metric, idempotencyKey });
        parts +=
          Object.keys(answer.points).length + Object.keys(answer.leaderboards).length + answer.achievements.length;
        expect(writeEventAnswer(outcome, { metric, idempotencyKey })).toBe(writeJson(answer));
      }),
      { numRuns: 1_000 },
      () => ({ parts: parts > 1_000 }),
    );
  });
});
