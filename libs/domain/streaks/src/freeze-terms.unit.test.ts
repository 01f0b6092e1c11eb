import { compileHistory, type CompiledHistory } from '@laurel/configuration';
import { EffectList, type Occasion } from '@laurel/kernel';
import { identification, metricEvent, sweep, type Happened } from '@laurel/kernel/fixtures';
import { streaksRules, type StreaksState } from './index.ts';
import { viewStreak } from './rules/streak-view.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BEGINNING = Date.parse('2026-03-01T00:00:00Z');

const NOT_EARNED = { initial: 0, max: 5 };
const EARNED = { initial: 0, max: 5, earnEvery: 1, earn: 1 };

const metric = metricEvent(0, 1_000_000);
const profile = identification();
const swept = sweep();

const after = (days: number) => BEGINNING + days * DAY;

/** Versions with these terms of freezes (null: none), of which all but the first are published ten days after the one before. */
function published(...terms: readonly (object | null)[]): CompiledHistory {
  const publications = terms.map((freezes, place) => ({
    version: place + 1,
    publishedAt: place === 0 ? after(-1) : after(10 * place),
    document: {
      version: 1,
      metrics: [{ key: 'steps', name: 'Steps' }],
      streak: { frequency: 'daily', conditions: [{ metric: 'steps', threshold: 1 }], ...(freezes && { freezes }) },
    },
  }));
  return compileHistory('default', publications);
}

/** One user, as records of several versions make them. The state is stored between any two. */
class Life {
  #stored: unknown = null;
  #createdAt: number | null = null;

  constructor(readonly history: CompiledHistory) {}

  when(version: number, happened: Happened, at: number): StreaksState {
    const plan = streaksRules.compile(this.history.at(version));
    const state = this.#stateUnder(version);
    const createdAt = (this.#createdAt ??= at);
    const user = { createdAt, zone: 'UTC', previousZone: 'UTC', day: Math.floor(at / DAY), total: null };
    const occasion: Occasion = {
      account: 'default',
      subject: 1,
      position: 1,
      eventId: 'e1',
      occurredAt: at,
      recordedAt: at,
      ...happened,
      user,
    };
    streaksRules.apply(state, occasion, plan, new EffectList(occasion, this.history.at(version)));
    this.#stored = JSON.parse(JSON.stringify(streaksRules.encode(state, plan)));
    return state;
  }

  freezesAt(version: number, at: number): number | undefined {
    return viewStreak(this.#stateUnder(version), at, streaksRules.compile(this.history.at(version))).freezes;
  }

  #stateUnder(version: number): StreaksState {
    const plan = streaksRules.compile(this.history.at(version));
    return this.#stored === null ? streaksRules.initial(plan) : streaksRules.decode(this.#stored, plan);
  }
}

describe('freezes whose terms changed more than once', () => {
  it.each([
    ['stay earned if only the terms in between earned them', [NOT_EARNED, EARNED, NOT_EARNED], 5],
    [
      'are not earned while the terms in between earned none',
      [
        { ...EARNED, max: 100 },
        { ...NOT_EARNED, max: 100 },
        { ...EARNED, max: 100 },
      ],
      9 + 6,
    ],
    ['are lost if the version in between had no freezes', [{ initial: 3, max: 5 }, null, { initial: 3, max: 5 }], 0],
  ])('%s, whether or not an event was recorded under those terms', (_, terms, held) => {
    const history = published(...terms);
    const [seen, unseen] = [new Life(history), new Life(history)];
    for (const life of [seen, unseen]) life.when(1, profile, BEGINNING);
    seen.when(2, profile, after(15));
    expect(unseen.freezesAt(3, after(25))).toBe(held);
    for (const life of [seen, unseen]) expect(life.when(3, profile, after(25)).held).toBe(held);
  });

  it('bridge every period that was over before freezes were removed', () => {
    const history = published({ initial: 5, max: 5 }, null);
    const [seen, unseen] = [new Life(history), new Life(history)];
    for (const life of [seen, unseen]) life.when(1, metric, BEGINNING);
    // Unseen: as while an import is open.
    seen.when(1, swept, after(9));
    const [one, other] = [seen, unseen].map((life) => life.when(2, profile, after(11)));
    expect(one?.frozen).toHaveLength(5);
    expect(other).toEqual(one);
  });

  it('are given to a new user by the terms in force at the creation, imported or not', () => {
    const history = published({ initial: 1, max: 9 }, { initial: 2, max: 9 }, { initial: 3, max: 9 });
    expect(new Life(history).when(3, profile, after(25)).held).toBe(3);
    // Imported.
    expect(new Life(history).when(3, profile, after(20)).held).toBe(3);
    expect(new Life(history).when(3, profile, after(20) - 1).held).toBe(2);
    expect(new Life(history).when(3, profile, after(5)).held).toBe(1);
  });

  it('cannot be used by an import before they were earned', () => {
    const history = published({ initial: 0, max: 5, earnEvery: 3, earn: 1 }, { initial: 0, max: 5 });
    const life = new Life(history);
    life.when(2, metric, BEGINNING);
    const { streak, held } = life.when(2, metric, after(2) + HOUR);
    expect([streak?.length, streak?.startedOn, held]).toEqual([1, after(2) / DAY, 0]);
    expect(life.freezesAt(2, after(3))).toBe(1);
    // Earned on days 3, 6 and 9, and used on day 4.
    expect(life.when(2, profile, after(11)).held).toBe(2);
  });
});
