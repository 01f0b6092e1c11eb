import { exactOf } from '@laurel/amounts';
import {
  EffectList,
  type AchievementDefinition,
  type AchievementMissed,
  type AchievementTrigger,
  type Configuration,
  type Effect,
  type Occasion,
  type ExplanationListener,
} from '@laurel/kernel';
import {
  completionByCall as call,
  grantOf,
  identification,
  spendOf,
  metricEvent,
  sweep,
  type Happened,
} from '@laurel/kernel/fixtures';
import { ACCOUNT, configuration, onAll, onAmount, onCall, onStreak, onTotal, USER } from '../achievements.fixture.ts';
import { achievementsRules } from './achievements.ts';

const AT = Date.UTC(2026, 2, 1);
const UNITS = 1_000_000;

class Missed implements ExplanationListener {
  readonly all: AchievementMissed[] = [];

  achievementMissed(missed: AchievementMissed): void {
    this.all.push(missed);
  }
  triggerFired(): void {}
  triggerMissed(): void {}
  triggerPassedOver(): void {}
  conditionChecked(): void {}
}

const occasionOf = (happened: Happened, total: Given['total'] = null): Occasion => ({
  account: ACCOUNT,
  subject: USER,
  position: 1,
  eventId: 'e',
  occurredAt: AT,
  recordedAt: AT,
  ...happened,
  user: { createdAt: 0, zone: 'UTC', previousZone: 'UTC', day: 0, total },
});

/** What happens to a user of whom these achievements are complete. */
function applied(
  under: Configuration,
  happened: Happened,
  { total = null, completed = [], earlier = [] }: Partial<Given> = {},
) {
  const plan = achievementsRules.compile(under);
  const state = achievementsRules.decode(completed, plan);
  const missed = new Missed();
  const occasion = occasionOf(happened, total);
  const out = new EffectList(occasion, under, missed, earlier);
  achievementsRules.apply(state, occasion, plan, out);
  return { effects: out.effects.slice(earlier.length), missed: missed.all, state, plan };
}

interface Given {
  /** The total of the reported metric, in millionths. */
  readonly total: number | bigint | null;
  readonly completed: readonly string[];
  /** Of the areas before. */
  readonly earlier: readonly Effect[];
}

const lessons = metricEvent(0, UNITS);
const words = metricEvent(1, UNITS);
const completions = (...keys: readonly string[]): readonly Effect[] =>
  keys.map((achievement) => ({ type: 'AchievementCompleted', achievement, at: AT }));
const extended = (length: number): Effect => ({ type: 'StreakExtended', at: AT, length, period: 0 });

describe('the effects of an event on achievements', () => {
  const under = configuration(
    onAll('all', 'ten', 'week'),
    onStreak('week', 7),
    onTotal('ten', 'lessons', 10),
    onAmount('big', 'lessons', 2n ** 53n + 1n),
    onCall('__proto__'),
  );

  it('are completions at its instant, ordered by metric, streak and composite', () => {
    const { effects } = applied(under, lessons, { total: 10 * UNITS, earlier: [extended(7)] });
    expect(effects).toEqual(completions('ten', 'week', 'all'));
  });

  it('exclude achievements that are already complete', () => {
    const given = { total: 10 * UNITS, earlier: [extended(7)], completed: ['ten', 'week', 'all'] };
    expect(applied(under, lessons, given).effects).toEqual([]);
  });

  it('include streak achievements only if the event started or extended the streak', () => {
    const day = configuration(onStreak('day', 1));
    const at = AT;
    const of = (effect: Effect) => applied(day, lessons, { total: 0, earlier: [effect] }).effects;
    expect(of({ type: 'StreakStarted', at, length: 1, period: 0 })).toEqual(completions('day'));
    expect(of(extended(5))).toEqual(completions('day'));
    expect(of({ type: 'StreakRevived', at, length: 5 })).toEqual([]);
    expect(of({ type: 'StreakEnded', at, length: 5, generation: 1 })).toEqual([]);
  });

  it('follow exact totals, beyond the precision of a double', () => {
    const below = applied(under, lessons, { total: exactOf(2n ** 53n), completed: ['ten'] });
    expect(below.effects).toEqual([]);
    const reached = applied(under, lessons, { total: exactOf(2n ** 53n + 1n), completed: ['ten'] });
    expect(reached.effects).toEqual(completions('big'));
  });

  it('include an API achievement only if a call with its key reports it', () => {
    expect(applied(under, call('__proto__')).effects).toEqual(completions('__proto__'));
    expect(applied(under, call('ten')).effects).toEqual([]);
  });

  it('are empty for a profile update, a spend or the passing of time, which miss nothing either', () => {
    for (const happened of [identification(), spendOf('xp', 1), sweep()])
      expect(applied(under, happened, { completed: ['ten', 'week'] })).toMatchObject({ effects: [], missed: [] });
  });
});

describe('the part reported as missing from an achievement', () => {
  const under = configuration(
    onAll('all', 'ten', 'week', 'hundred'),
    onStreak('week', 7),
    onStreak('month', 30),
    onTotal('ten', 'lessons', 10),
    onTotal('hundred', 'lessons', 100),
    onTotal('words', 'words', 1),
    onCall('called'),
  );
  const onMetric = (achievement: string, have: number, need: number) => ({
    achievement,
    missing: { type: 'amount', have: have * UNITS, need: need * UNITS },
  });
  const ofTriggers = (achievement: string, ...achievements: string[]) => ({
    achievement,
    missing: { type: 'achievements', achievements },
  });

  it('is the rest of the total, for each open achievement on the metric of the event', () => {
    const { missed } = applied(under, lessons, { total: 10 * UNITS });
    expect(missed).toEqual([onMetric('hundred', 10, 100), ofTriggers('all', 'week', 'hundred')]);
    expect(applied(under, words, { total: 0 }).missed).toEqual([
      onMetric('words', 0, 1),
      ofTriggers('all', 'ten', 'week', 'hundred'),
    ]);
  });

  it('is the rest of the streak, if the event extended the streak', () => {
    const { missed } = applied(under, words, { total: UNITS, earlier: [extended(7)] });
    expect(missed).toEqual([
      { achievement: 'month', missing: { type: 'count', have: 7, need: 30 } },
      ofTriggers('all', 'ten', 'hundred'),
    ]);
  });

  it('is the list of its open parts after the event, including API and removed achievements', () => {
    const after = configuration(onAll('both', 'gone', 'called'), onCall('called'), onAll('self', 'called'));
    expect(applied(after, call('other')).missed).toEqual([
      ofTriggers('both', 'called', 'gone'),
      ofTriggers('self', 'called'),
    ]);
    expect(applied(after, call('called')).missed).toEqual([ofTriggers('both', 'gone')]);
    expect(applied(after, call('called'), { completed: ['gone'] })).toMatchObject({
      effects: completions('called', 'both', 'self'),
      missed: [],
    });
  });

  it('is not reported for a completed achievement', () => {
    const completed = ['ten', 'hundred', 'week', 'month', 'all'];
    expect(applied(under, lessons, { total: 0, earlier: [extended(1)], completed }).missed).toEqual([]);
  });
});

describe('the state of achievements', () => {
  const many = configuration(...Array.from({ length: 100 }, (_, index) => onCall(`a${index}`)));

  it('distinguishes 100 achievements and is decoded by their keys', () => {
    const every = achievementsRules.compile(many);
    for (const key of ['a0', 'a30', 'a31', 'a61', 'a62', 'a99']) {
      const { effects, state } = applied(many, call(key), { completed: ['gone'] });
      expect(effects).toEqual(completions(key));
      expect(achievementsRules.encode(state, every)).toEqual([key, 'gone']);
    }
  });

  it('keeps achievements that a version lacks, and restores them under a version that has them', () => {
    const all = achievementsRules.compile(many);
    const none = achievementsRules.compile(configuration());
    const state = achievementsRules.decode(['a1', 'a64'], all);
    const without = achievementsRules.decode(achievementsRules.encode(state, all), none);
    expect(without.others).toEqual(['a1', 'a64']);
    expect(achievementsRules.decode(achievementsRules.encode(without, none), all)).toEqual(state);
  });

  it('is not changed by changes to its clone', () => {
    const plan = achievementsRules.compile(many);
    const state = achievementsRules.decode(['a1'], plan);
    const draft = achievementsRules.clone(state);
    const occasion = occasionOf(call('a2'));
    achievementsRules.apply(draft, occasion, plan, new EffectList(occasion, many));
    expect(achievementsRules.encode(state, plan)).toEqual(['a1']);
    expect(achievementsRules.encode(draft, plan)).toEqual(['a1', 'a2']);
  });
});

describe('a grant or revocation of an achievement', () => {
  const under = configuration(
    onAll('all', 'ten', 'week'),
    onStreak('week', 7),
    onTotal('ten', 'lessons', 10),
    onCall('called'),
  );
  const grant = (kind: 'achievement' | 'revocation', achievement: string) => grantOf({ kind, achievement });
  const taken = (achievement: string): Effect => ({ type: 'AchievementRevoked', achievement, at: AT });
  const stateAfter = ({ state, plan }: ReturnType<typeof applied>) => achievementsRules.encode(state, plan);

  it('completes an achievement of any trigger type and the composites that need it', () => {
    expect(applied(under, grant('achievement', 'week')).effects).toEqual(completions('week'));
    const last = applied(under, grant('achievement', 'ten'), { completed: ['week'] });
    expect(last.effects).toEqual(completions('ten', 'all'));
    expect(applied(under, grant('achievement', 'all')).effects).toEqual(completions('all'));
  });

  it('has no effect if nothing would change or the version lacks the achievement', () => {
    expect(applied(under, grant('achievement', 'week'), { completed: ['week'] }).effects).toEqual([]);
    expect(applied(under, grant('achievement', 'gone'), { completed: ['gone'] }).effects).toEqual([]);
    expect(applied(under, grant('revocation', 'gone'), { completed: ['gone'] }).effects).toEqual([]);
    expect(applied(under, grant('revocation', 'week')).effects).toEqual([]);
  });

  it('removes only the revoked achievement, not the composites that need it', () => {
    const after = applied(under, grant('revocation', 'ten'), { completed: ['ten', 'week', 'all'] });
    expect(after.effects).toEqual([taken('ten')]);
    expect(stateAfter(after)).toEqual(['all', 'week']);
  });

  it('lets the trigger complete it again, or the next event if it is a composite', () => {
    const again = applied(under, lessons, { total: 10 * UNITS, completed: ['week', 'all'] });
    expect(again.effects).toEqual(completions('ten'));
    expect(applied(under, call('called')).effects).toEqual(completions('called'));
    expect(applied(under, call('called'), { completed: ['ten', 'week'] }).effects).toEqual(
      completions('called', 'all'),
    );
  });

  it('changes only the named achievement among 70', () => {
    const keys = Array.from({ length: 70 }, (_, place) => `a${place}`);
    const many = configuration(...keys.map(onCall));
    for (const key of ['a0', 'a30', 'a31', 'a61', 'a62', 'a69']) {
      const after = applied(many, grant('revocation', key), { completed: keys });
      expect(stateAfter(after)).toEqual(keys.filter((other) => other !== key));
    }
  });
});

interface Story {
  readonly achievement: AchievementDefinition;
  readonly happened: Happened;
  readonly given: Partial<Given>;
}

/** One for each kind: the compiler asks for that of a new one. */
const STORIES: { readonly [Type in AchievementTrigger['type']]: Story } = {
  metric: { achievement: onTotal('it', 'lessons', 10), happened: lessons, given: { total: 10 * UNITS } },
  streak: { achievement: onStreak('it', 7), happened: lessons, given: { total: 0, earlier: [extended(7)] } },
  api: { achievement: onCall('it'), happened: call('it'), given: {} },
  achievement: { achievement: onAll('it', 'other'), happened: call('another'), given: { completed: ['other'] } },
};

it.each(Object.entries(STORIES))('an achievement trigger of type %s completes its achievement once', (_kind, story) => {
  const under = configuration(story.achievement);
  expect(applied(under, story.happened, story.given).effects).toEqual(completions('it'));
  const completed = [...(story.given.completed ?? []), 'it'];
  expect(applied(under, story.happened, { ...story.given, completed }).effects).toEqual([]);
});
