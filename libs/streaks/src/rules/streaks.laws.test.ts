import type { Effect, StreakDefinition } from '@laurel/contracts';
import fc from 'fast-check';
import { CheckedConditions, RulesStory, type Happening } from '../testing/rules-story.ts';
import { definitions, records, starts, zones, type Told } from '../testing/stories.ts';
import { streaksRules } from './streaks.ts';
import { viewStreak } from './streak-view.ts';

const DAY_MS = 86_400_000;

const KINDS = {
  event: 'MetricReported',
  identified: 'ProfileReported',
  completed: 'CompletionReported',
  swept: 'TimePassed',
} as const;

/** As `records`, with the instants at which they happen. A sweep brings no clock. */
function happenings(start: number, told: readonly Told[]): readonly Happening[] {
  let at = start;
  return told.map(({ kind, afterMs, tz, metric, value }) => {
    at += afterMs;
    return { kind: KINDS[kind], at, metric, value, ...(tz !== undefined && kind !== 'swept' && { tz }) };
  });
}

const lives = fc.tuple(starts, zones, definitions, records);

const withFreezes = (definition: StreakDefinition) => fc.pre(definition.freezes !== null);

describe('the effects of any story', () => {
  it('tell the length: it starts at 1, is extended by one, ends as it was, and is revived as it ended', () => {
    fc.assert(
      fc.property(lives, ([start, zone, definition, told]) => {
        const story = new RulesStory(definition, zone);
        let length = 0;
        let lastEnded = 0;
        const follow = (effect: Effect) => {
          switch (effect.type) {
            case 'StreakStarted':
              expect(length).toBe(0);
              return (length = 1);
            case 'StreakExtended':
              expect(length).toBeGreaterThan(0);
              expect(effect.length).toBe(length + 1);
              return (length = effect.length);
            case 'StreakEnded':
              expect(effect.length).toBe(length);
              [lastEnded, length] = [length, 0];
              return;
            case 'StreakRevived':
              expect(length).toBe(0);
              expect(effect.length).toBe(lastEnded);
              return (length = effect.length);
            case 'FreezeUsed':
            case 'PeriodSkipped':
              return expect(effect.length).toBe(length);
            default:
              return expect(effect.type).toBe('FreezeEarned');
          }
        };
        for (const happens of happenings(start, told)) {
          story.when(happens).forEach(follow);
          expect(viewStreak(story.state, happens.at, story.plan).length).toBe(length);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('tell the freezes: those at first, more those earned, less those used, are those held', () => {
    fc.assert(
      fc.property(lives, ([start, zone, definition, told]) => {
        withFreezes(definition);
        const story = new RulesStory(definition, zone);
        let held = definition.freezes?.initial ?? 0;
        for (const happens of happenings(start, told)) {
          for (const effect of story.when(happens)) {
            if (effect.type === 'FreezeUsed') held -= 1;
            if (effect.type === 'FreezeEarned') expect(effect.held).toBe((held += effect.earned));
          }
          expect(story.state.held).toBe(held);
          expect(viewStreak(story.state, happens.at, story.plan).freezes).toBe(held);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('are the same whether or not somebody asks why, and neither a draft nor a view changes what it is made of', () => {
    const later = fc.nat({ max: 40 * DAY_MS });
    fc.assert(
      fc.property(lives, later, ([start, zone, definition, told], soon) => {
        const [asked, unasked] = [new RulesStory(definition, zone), new RulesStory(definition, zone)];
        for (const happens of happenings(start, told)) {
          const { state: before, plan } = unasked;
          const stored = JSON.stringify(streaksRules.encode(before, plan));
          viewStreak(before, happens.at + soon, plan);
          expect(unasked.when(happens)).toEqual(asked.when(happens, new CheckedConditions()));
          expect(unasked.state).toEqual(asked.state);
          expect(JSON.stringify(streaksRules.encode(before, plan))).toBe(stored);
        }
      }),
      { numRuns: 100 },
    );
  });
});
