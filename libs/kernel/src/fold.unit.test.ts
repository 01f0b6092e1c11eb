import { subjectOf } from '@laurel/testing/subjects';
import type { AnyUserArea } from './area.ts';
import type { AreaName } from './area-names.ts';
import type { Configuration } from './configuration.ts';
import { newMessage, type ChainMessage } from './message.ts';
import { AreaError, Fold, messageAfter, requireAreas } from './fold.ts';
import type { EffectList } from './emitting.ts';

const configuration = { version: 1, metrics: [] } as unknown as Configuration;

const message: ChainMessage = newMessage({
  ...{ eventId: 'e', account: 'default', configurationVersion: 1, occurredAt: 5, recordedAt: 5, position: 9 },
  fact: { type: 'UserSwept', subject: subjectOf('ada'), place: 0 },
});

type Name = Exclude<AreaName, 'leaderboards'>;

/** Emits its name and what it sees; throws where it is told to. */
const area = (name: Name, throwsIn: 'apply' | 'answerPart' | 'rows' | null = null, needs: readonly AreaName[] = []) => {
  const step = (here: string) => {
    if (here === throwsIn) throw new RangeError(`${name} cannot`);
  };
  const parts: Pick<AnyUserArea, 'name' | 'needs' | 'apply' | 'answerPart' | 'rows'> = {
    name,
    needs,
    apply: (_draft, { user }, _configuration, emitter) => {
      step('apply');
      if (name === 'users') user.zone = 'Asia/Tokyo';
      const seen = (emitter as EffectList).effects.length;
      emitter.emit({ type: 'AchievementCompleted', achievement: `${name} of ${user.zone} after ${seen}` });
    },
    answerPart: (_draft, { effects }) => (step('answerPart'), `${name} after ${effects.length}`),
    rows: (_draft, _applied, answerPart) => (step('rows'), new Map([[name, [{ answerPart }]]])),
  };
  return parts as AnyUserArea;
};

const areas = [area('users'), area('streaks'), area('points', null, ['users', 'streaks'])];
const apply = (given: readonly AnyUserArea[], first: number, end: number, from = message) =>
  new Fold(given, []).apply(from.record, configuration, { before: from, range: { first, end }, wantsAnswer: true });

describe('areas that apply a message', () => {
  it('pass on the same in one step as in several', () => {
    const whole = messageAfter(apply(areas, 0, 3), areas);
    let stepped = message;
    for (const first of [0, 1, 2]) stepped = messageAfter(apply(areas, first, first + 1, stepped), areas);
    expect({ ...stepped, sections: null }).toEqual({ ...whole, sections: null });
    expect(whole).toMatchObject({ areas: ['users', 'streaks', 'points'], user: { zone: 'Asia/Tokyo' } });
    expect(whole.effects).toEqual(
      ['users', 'streaks', 'points'].map((name, seen) => ({
        ...{ type: 'AchievementCompleted', achievement: `${name} of Asia/Tokyo after ${seen}`, at: 5 },
      })),
    );
  });

  it('do not change the message that they receive', () => {
    const before = structuredClone(message);
    apply(areas, 0, 3);
    expect(message).toEqual(before);
  });

  it('see no user until the users area has applied the message', () => {
    expect(messageAfter(apply([area('streaks')], 0, 1), [area('streaks')]).user).toBeNull();
  });

  it('make no answer part unless it is requested', () => {
    const { sections, rows } = new Fold(areas, []).apply(message.record, configuration, {
      range: { first: 1, end: 2 },
    });
    expect(sections).toBeNull();
    expect(rows).toEqual([new Map([['streaks', [{ answerPart: null }]]])]);
  });

  it.each(['apply', 'answerPart', 'rows'] as const)('report which of them threw in %s, and the cause', (step) => {
    const broken = [area('users'), area('streaks', step), area('points')];
    const failure = failureOf(() => apply(broken, 0, 3));
    expect([failure.index, failure.message]).toEqual([1, 'streaks cannot']);
    expect(failure.cause).toBeInstanceOf(RangeError);
  });

  it('refuse a message that an area they need has not applied, in this step or before', () => {
    expect(failureOf(() => apply(areas, 1, 3)).message).toBe(
      'points needs users, which has not applied the record at position 9',
    );
    expect(failureOf(() => apply(areas, 1, 3)).index).toBe(2);
    expect(apply(areas, 1, 3, { ...message, areas: ['users'] }).rows).toHaveLength(2);
    expect(() => requireAreas({ name: 'leaderboards', needs: ['points'] }, message)).toThrow(
      'leaderboards needs points, which has not applied the record at position 9',
    );
  });
});

function failureOf(work: () => unknown): AreaError {
  try {
    work();
  } catch (error) {
    if (error instanceof AreaError) return error;
  }
  throw new Error('no area failed');
}
