import { formatDay } from '@laurel/calendar';
import { EFFECT_COLUMNS, NO_NAMES, type Effect, type StreakDefinition } from '@laurel/kernel';
import fc from 'fast-check';
import { CheckedConditions, RulesStory, type StoryEvent } from '../testing/rules-story.ts';
import { definitions, records, starts, zones, type Told } from '../testing/stories.ts';
import { streaksRules } from './streaks.ts';
import { viewStreak } from './streak-view.ts';

const DAY_MS = 86_400_000;

const KINDS = {
  event: 'MetricEventRecorded',
  identified: 'UserIdentified',
  completed: 'AchievementCompletedByCall',
  swept: 'UserSwept',
} as const;

/** As `records`, with the instants at which they happen. A sweep brings no clock. */
function happenings(start: number, told: readonly Told[]): readonly StoryEvent[] {
  let at = start;
  return told.map(({ kind, afterMs, tz, metric, value }) => {
    at += afterMs;
    return { kind: KINDS[kind], at, metric, value, ...(tz !== undefined && kind !== 'swept' && { tz }) };
  });
}

const lives = fc.tuple(starts, zones, definitions, records);

/** A story of which another definition may be published between two events. */
const publications = fc.array(fc.option(fc.record({ definition: fc.option(definitions), generation: fc.boolean() })));

/** The story that is told; where `swept`, a sweep comes between two events if one is due. */
class SweptStory extends RulesStory {
  readonly ends: Effect[] = [];
  starts = 0;

  tell(happens: StoryEvent): void {
    for (const effect of this.when(happens)) {
      if (effect.type === 'StreakStarted') this.starts++;
      if (effect.type === 'StreakEnded') this.ends.push(effect);
      if (effect.type === 'StreakRevived') expect(this.ends.pop()?.type).toBe('StreakEnded');
    }
  }

  /** As the sweeper does: who is not due is left alone, and whoever was swept is due no more at that instant. */
  sweep(at: number): void {
    if (!this.#isDue(at)) return;
    this.tell({ kind: 'UserSwept', at });
    expect(this.#isDue(at)).toBe(false);
  }

  #isDue(at: number): boolean {
    const dueAt = streaksRules.dueAt?.(this.state, this.plan) ?? Infinity;
    return dueAt <= at;
  }
}

describe('the end of a streak, for any events and publications', () => {
  it('is emitted once per streak unless it is revoked, and reads do not depend on sweeps', () => {
    fc.assert(
      fc.property(
        lives,
        publications,
        fc.array(fc.nat({ max: 100 })),
        fc.nat({ max: 400 * DAY_MS }),
        ([start, zone, definition, told], published, sweeps, later) => {
          const [swept, alone] = [new SweptStory(definition, zone), new SweptStory(definition, zone)];
          let generation = definition.generation;
          let at = start;
          let isRemoved = false;
          for (const [index, happens] of happenings(start, told).entries()) {
            const share = sweeps[index];
            if (share !== undefined && index > 0) swept.sweep(at + Math.floor(((happens.at - at) * share) / 100));
            at = happens.at;
            expect(viewStreak(swept.state, at, swept.plan)).toEqual(viewStreak(alone.state, at, alone.plan));
            swept.tell(happens);
            alone.tell(happens);
            expect(viewStreak(swept.state, at, swept.plan)).toEqual(viewStreak(alone.state, at, alone.plan));
            const next = published[index];
            if (next === undefined || next === null) continue;
            // As publications do: after a version without a streak another generation begins.
            if (next.generation || isRemoved) generation++;
            isRemoved = next.definition === null;
            const under = next.definition && { ...definition, ...(next.generation && next.definition), generation };
            swept.published(under);
            alone.published(under);
          }
          swept.sweep((at += later));
          alone.sweep(at);
          const living = viewStreak(swept.state, at, swept.plan).length > 0 ? 1 : 0;
          for (const { starts, ends } of [swept, alone]) expect(ends.length).toBe(starts - living);
          expect(swept.starts).toBe(alone.starts);
          if (published.every((each) => each === null)) expect(swept.ends).toEqual(alone.ends);
        },
      ),
      { numRuns: 300 },
    );
  });
});

const withFreezes = (definition: StreakDefinition) => fc.pre(definition.freezes !== null);

describe('the effects on a streak, for any sequence of events', () => {
  it('start a length at 1, extend it by one, end it as it was, and revive it as it ended', () => {
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

  it('carry the streak and freezes of the answer if outcomes need them, even when decoded', () => {
    const [seen, late] = [new Set<string>(), fc.array(fc.nat({ max: 90 * 3_600_000 }))];
    fc.assert(
      fc.property(lives, late, ([start, zone, definition, told], lateness) => {
        const story = new RulesStory(definition, zone);
        const { rules } = story.plan;
        expect([rules?.isNotified, rules?.notifiesOfEarning]).toEqual([false, false]);
        if (rules !== null)
          story.plan = { ...story.plan, rules: { ...rules, isNotified: true, notifiesOfEarning: true } };
        let newest = start;
        for (const [index, one] of happenings(start, told).entries()) {
          const isLate = one.kind === 'MetricEventRecorded' && (lateness[index] ?? 0) > 0;
          const happens = isLate ? { ...one, at: one.at - (lateness[index] ?? 0) } : one;
          const effects = story.when(happens);
          const event = { occurredAt: happens.at };
          const stored = EFFECT_COLUMNS.streaks.encode(effects, event, NO_NAMES);
          expect(EFFECT_COLUMNS.streaks.decode(stored ?? '[]', event, NO_NAMES)).toEqual(effects);
          const answer = viewStreak(story.state, Math.max(story.state.latest ?? happens.at, happens.at), story.plan);
          for (const effect of effects)
            if (effect.type === 'StreakStarted' || effect.type === 'StreakExtended') {
              seen.add(effect.type);
              const { startedOn = 0, expiresOn = 0, held } = effect.after ?? {};
              const dates = { started: formatDay(startedOn), expires: formatDay(expiresOn) };
              const freezes = definition.freezes !== null && { freezes: held };
              expect({ ...dates, length: effect.length, ...freezes }).toEqual({
                started: answer.started,
                expires: answer.expires,
                length: answer.length,
                ...(answer.freezes !== undefined && { freezes: answer.freezes }),
              });
            }
          const last = effects.findLast(({ type }) => type === 'FreezeUsed' || type === 'FreezeEarned');
          if (last?.type === 'FreezeUsed' && happens.at >= newest) {
            seen.add(last.type);
            expect(last.held).toBe(answer.freezes);
          }
          newest = Math.max(newest, happens.at);
        }
      }),
      { numRuns: 300 },
    );
    expect([...seen].sort()).toEqual(['FreezeUsed', 'StreakExtended', 'StreakStarted']);
  });

  it('account for freezes: initial plus earned minus used equals held', () => {
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

  it('are the same with and without a listener, and neither a clone nor a view changes the state', () => {
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
