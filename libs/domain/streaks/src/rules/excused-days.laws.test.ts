import { formatDay, parseDay, type Day } from '@laurel/calendar';
import { assertCovering } from '@laurel/testing/laws';
import fc from 'fast-check';
import { event, granted, RulesStory, swept, type StoryEvent } from '../testing/rules-story.ts';
import { definitionOf } from '../testing/streak-story.ts';
import { MOST_REMEMBERED, withExcused, type ExcusedDays } from './excused-days.ts';
import { streaksRules } from './streaks.ts';
import { viewStreak } from './streak-view.ts';

const FIRST = parseDay('2024-03-01');
const DAYS = 30;

/** What happens on one day, in this order: perhaps days are excused, perhaps the user plays, perhaps days are excused. */
interface DayOfLife {
  readonly before: ExcusedDays | null;
  readonly plays: boolean;
  readonly after: ExcusedDays | null;
  readonly sweeps: boolean;
}

const excused = fc
  .record({ first: fc.integer({ min: -2, max: DAYS + 2 }), days: fc.integer({ min: 1, max: 6 }) })
  .map(({ first, days }): ExcusedDays => ({ from: FIRST + first, to: FIRST + first + days - 1 }));
/** Counted from the day of life. */
const near = fc
  .record({ first: fc.integer({ min: -6, max: 3 }), days: fc.integer({ min: 1, max: 4 }) })
  .map(({ first, days }): ExcusedDays => ({ from: first, to: first + days - 1 }));
const sometimes = fc.option(near, { freq: 2 });
const lives: fc.Arbitrary<readonly DayOfLife[]> = fc.array(
  fc.record({
    before: sometimes,
    plays: fc.boolean(),
    after: sometimes,
    sweeps: fc.boolean(),
  }),
  { minLength: 1, maxLength: DAYS },
);

const at = (day: Day, time: string) => `${formatDay(day)}T${time}Z`;
const excuse = (when: string, { from, to }: ExcusedDays): StoryEvent =>
  granted(when, { kind: 'excused', from: formatDay(from), to: formatDay(to) });

/** The length of a daily streak without freezes on a day, counted day by day. */
function lengthOn(today: Day, played: ReadonlySet<Day>, ranges: readonly ExcusedDays[]): number {
  let length = 0;
  for (let day = FIRST; day <= today; day++) {
    if (played.has(day)) length++;
    else if (day < today && !ranges.some(({ from, to }) => from <= day && day <= to)) length = 0;
  }
  return length;
}

/** The instants of a life, each with what the user has done and what is excused by then. */
function* told(life: readonly DayOfLife[]) {
  const played = new Set<Day>();
  const ranges: ExcusedDays[] = [];
  for (const [place, { plays, sweeps, ...given }] of life.entries()) {
    const today = FIRST + place;
    const [before, after] = [given.before, given.after].map(
      (range) => range && { from: today + range.from, to: today + range.to },
    );
    const happenings: StoryEvent[] = [];
    if (sweeps) happenings.push(swept(at(today, '00:00:00')));
    if (before) happenings.push(excuse(at(today, '06:00:00'), before));
    if (plays) happenings.push(event(at(today, '12:00:00')));
    if (after) happenings.push(excuse(at(today, '18:00:00'), after));
    for (const happens of happenings) {
      if (happens.kind === 'MetricEventRecorded') played.add(today);
      if (happens.kind === 'GrantRecorded')
        ranges.push((happens.at < Date.parse(at(today, '12:00:00')) ? before : after)!);
      yield { happens, today, played, ranges };
    }
  }
}

describe('a daily streak with excused days, for any sequence of events', () => {
  it('is as long as the days played since the last missed day that is not excused', async () => {
    let joined = 0;
    await assertCovering(
      fc.property(lives, (life) => {
        const story = new RulesStory();
        story.when(swept(at(FIRST - 1, '12:00:00')));
        for (const { happens, today, played, ranges } of told(life)) {
          const effects = story.when(happens);
          joined += effects.filter(({ type }) => type === 'StreakRejoined').length;
          expect(viewStreak(story.state, happens.at, story.plan).length).toBe(lengthOn(today, played, ranges));
        }
      }),
      { numRuns: 400 },
      () => ({ joined: joined > 20 }),
    );
  });

  it('is decoded unchanged, and remembers a limited number of ranges and lapses', () => {
    fc.assert(
      fc.property(lives, (life) => {
        const story = new RulesStory(definitionOf({ freezes: { initial: 2, max: 3, earnEvery: 4, earn: 1 } }));
        for (const { happens } of told(life)) {
          story.when(happens);
          const { state, plan } = story;
          const stored: unknown = JSON.parse(JSON.stringify(streaksRules.encode(state, plan)));
          expect(streaksRules.decode(stored, plan)).toEqual(state);
          expect(Math.max(state.excused.length, state.lapses.length, state.frozen.length)).toBeLessThanOrEqual(
            MOST_REMEMBERED,
          );
        }
      }),
      { numRuns: 200 },
    );
  });

  it('reports lengths, freezes and ends in its effects', () => {
    fc.assert(
      fc.property(lives, (life) => {
        const story = new RulesStory(definitionOf({ freezes: { initial: 2, max: 3, earnEvery: 4, earn: 1 } }));
        let [length, held] = [0, 2];
        for (const { happens } of told(life)) {
          for (const effect of story.when(happens)) {
            if (effect.type === 'StreakEnded') length = 0;
            if (effect.type === 'StreakStarted' || effect.type === 'StreakExtended') length = effect.length;
            if (effect.type === 'StreakRevived') length = effect.length;
            if (effect.type === 'StreakRejoined') expect((length += effect.joined)).toBe(effect.length);
            if (effect.type === 'FreezeUsed') held -= 1;
            if (effect.type === 'FreezeEarned') expect((held += effect.earned)).toBe(effect.held);
            if (effect.type === 'FreezesGranted') expect((held += effect.granted)).toBe(effect.held);
          }
          const view = viewStreak(story.state, happens.at, story.plan);
          expect([view.length, view.freezes]).toEqual([length, held]);
          expect(held).toBeGreaterThanOrEqual(0);
          expect(held).toBeLessThanOrEqual(3);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('is never shortened by excused days, which cost no freezes either', () => {
    fc.assert(
      fc.property(lives, excused, (life, range) => {
        const story = new RulesStory(definitionOf({ freezes: { initial: 1, max: 2, earnEvery: 5, earn: 1 } }));
        for (const { happens } of told(life)) story.when(happens);
        const now = FIRST + DAYS;
        story.when(swept(at(now, '12:00:00')));
        const before = viewStreak(story.state, Date.parse(at(now, '13:00:00')), story.plan);
        story.when(excuse(at(now, '13:00:00'), range));
        const after = viewStreak(story.state, Date.parse(at(now, '13:00:00')), story.plan);
        expect(after.length).toBeGreaterThanOrEqual(before.length);
        if (before.length > 0) expect(after.freezes).toBeGreaterThanOrEqual(before.freezes ?? 0);
      }),
      { numRuns: 200 },
    );
  });
});

describe('ranges of excused days', () => {
  it('hold every excused day, in order, and are merged if they touch', () => {
    fc.assert(
      fc.property(fc.array(excused, { maxLength: 12 }), (ranges) => {
        const merged = ranges.reduce<readonly ExcusedDays[]>(withExcused, []);
        const daysOf = (list: readonly ExcusedDays[]) =>
          list.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, place) => from + place));
        expect(daysOf(merged)).toEqual([...new Set(daysOf(ranges))].sort((a, b) => a - b));
        merged.slice(1).forEach(({ from }, place) => expect(from).toBeGreaterThan(merged[place]!.to + 1));
      }),
    );
  });

  it('are limited to the newest ones', () => {
    const apart = Array.from({ length: MOST_REMEMBERED + 3 }, (_, place) => ({ from: place * 3, to: place * 3 }));
    expect(apart.reduce<readonly ExcusedDays[]>(withExcused, [])).toEqual(apart.slice(3));
  });
});
