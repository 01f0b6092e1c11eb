import { compileHistory } from '@laurel/configuration';
import { effectsOfType, type Effect, type Subject } from '@laurel/kernel';
import type { ConfigurationDocument } from '@laurel/schemas';
import { lesson } from '@laurel/testing/histories';
import { assertCovering } from '@laurel/testing/laws';
import {
  AccountStory,
  configurations,
  endingIn,
  endingOf,
  lateReports,
  neverSwept,
  nobodyLooks,
  reportedLate,
  type Ending,
  type Life,
  type Look,
} from '@laurel/testing/stories';
import { subjectOf } from '@laurel/testing/subjects';
import fc from 'fast-check';

type Late = Parameters<typeof reportedLate>[0] & { readonly command: { readonly occurredAt: number } };

const accountUnder = (document: unknown) =>
  new AccountStory({ history: compileHistory('default', [{ version: 1, document, publishedAt: 0 }]) });

/** Whether, up to the report, nothing falls due for the user of a late event behind its instant. */
async function isNothingDueBehind({ command, at }: Late, life: Life, document: unknown): Promise<boolean> {
  const account = accountUnder(document);
  await neverSwept(account, life);
  await account.settle(
    account.users.filter((user) => user === command.subject),
    command.occurredAt,
  );
  const due = account.dueAt(command.subject);
  return due === null || due > at;
}

/** Freezes and excused days bridge a period once and for all. */
const withoutFreezes = ({ streak, ...rest }: ConfigurationDocument) =>
  ({ ...rest, streak: { ...streak, freezes: undefined } }) as ConfigurationDocument;
const withoutExcused = ({ happenings, ...rest }: Life): Life => ({
  ...rest,
  happenings: happenings.filter(({ command }) => command.type !== 'GiveGrant' || command.grant.kind !== 'excused'),
});

/** A sweep, and what it finds for the user. */
function sweepFor(user: Subject, at: number) {
  const found: Effect[] = [];
  const look: Look = async (account) => {
    const before = account.effectsOf(user).length;
    await account.sweep(at);
    found.push(...account.effectsOf(user).slice(before));
  };
  return { look, found };
}

describe('an event dated before a sweep', () => {
  it('counts as if no sweep had come, if nothing fell due between its instant and the sweep', async () => {
    let [compared, found] = [0, 0];
    await assertCovering(
      fc.asyncProperty(configurations, lateReports, async (document, { life, late }) => {
        if (!(await isNothingDueBehind(late, life, document))) return;
        compared++;
        const sweep = sweepFor(late.command.subject, late.at);
        const unswept = await endingIn(reportedLate(late, nobodyLooks), accountUnder(document), life);
        const swept = await endingIn(reportedLate(late, sweep.look), accountUnder(document), life);
        if (sweep.found.length > 0) found++;
        expect(swept).toEqual(unswept);
      }),
      { numRuns: 100 },
      () => ({ compared: compared > 40, found: found > 20 }),
    );
  });

  it('counts as if no sweep had come, except for used freezes, excused days, and points systems with due awards', async () => {
    const seen = { ended: 0, touched: 0, untouched: 0 };
    await assertCovering(
      fc.asyncProperty(configurations.map(withoutFreezes), lateReports, async (document, { life: all, late }) => {
        const life = withoutExcused(all);
        const sweep = sweepFor(late.command.subject, late.at);
        const unswept = await endingIn(reportedLate(late, nobodyLooks), accountUnder(document), life);
        const swept = await endingIn(reportedLate(late, sweep.look), accountUnder(document), life);
        const behind = sweep.found.filter((effect) => 'at' in effect && effect.at > late.command.occurredAt);
        const touched = new Set(effectsOfType(behind, 'PointsAwarded').map(({ system }) => system));
        if (behind.some(({ type }) => type === 'StreakEnded')) seen.ended++;
        seen.touched += touched.size;
        seen.untouched += document.points.length - touched.size;
        expect(sharedOf(swept, touched)).toEqual(sharedOf(unswept, touched));
      }),
      { numRuns: 100 },
      () => ({ ended: seen.ended > 5, touched: seen.touched > 20, untouched: seen.untouched > 60 }),
    );
  });
});

/** What is left of an ending without how the streak came to be, and without what these systems gave. */
function sharedOf({ users, values }: Ending, without: ReadonlySet<string>): unknown {
  const ofUsers = [...users].map(([user, { effects, streak, completed }]) => {
    const awards = effectsOfType(effects.get('points') ?? [], 'PointsAwarded').filter(
      ({ system }) => !without.has(system),
    );
    return [user, effects.get('users'), effects.get('achievements'), awards, streak, completed];
  });
  const counted = ['lessons', 'words', 'xp', 'energy'].filter((board) => !without.has(board));
  const ofBoards = [...values].filter(([run]) => counted.some((board) => run.startsWith(`${board} `)));
  return { ofUsers, ofBoards: new Map(ofBoards) };
}

const ADA = subjectOf('ada');
const on = (text: string) => Date.parse(`2026-03-${text}:00Z`);
const metrics = [{ key: 'lessons', name: 'Lessons' }];
const daily = { frequency: 'daily', conditions: [{ metric: 'lessons', threshold: 1 }] };

/** Ada has a lesson on the 6th at noon, and reports on the 8th at six that she had one on the 7th at one, too. */
async function ada(document: object, look: Look): Promise<AccountStory> {
  const account = accountUnder({ version: 1, metrics, ...document });
  await account.happens({ at: on('06T12:00'), command: lesson('ada') });
  await look(account);
  await account.happens({ at: on('08T06:00'), command: lesson('ada', on('07T13:00')) });
  await account.settle(account.users, on('08T07:00'));
  return account;
}

const swept: Look = (account) => account.sweep(on('08T06:00'));

describe('an event dated in a past period', () => {
  const lengthOf = async (document: object, look: Look) => {
    const { users } = await endingOf(await ada(document, look), on('08T07:00'));
    return users.get(ADA)?.streak;
  };
  const frozen = { streak: { ...daily, freezes: { initial: 1, max: 1 } } };

  it('extends no streak if a sweep has used a freeze there (section 4.8)', async () => {
    expect(await lengthOf(frozen, swept)).toMatchObject({ streak: { length: 1, freezes: 0 } });
    expect(await lengthOf(frozen, nobodyLooks)).toMatchObject({ streak: { length: 2, freezes: 1 } });
  });

  it('extends no streak if a sweep has bridged the period as excused (section 10.7)', async () => {
    const excused: Look = (account) => {
      const grant = { kind: 'excused' as const, from: '2026-03-07', to: '2026-03-07' };
      const given = { type: 'GiveGrant' as const, account: 'default', subject: ADA, grant, keyHash: null };
      return account.happens({ at: on('06T13:00'), command: { ...given, attribution: {} } });
    };
    const passedOver: Look = async (account) => {
      await excused(account);
      await swept(account);
    };
    expect(await lengthOf({ streak: daily }, passedOver)).toMatchObject({ streak: { length: 1 } });
    expect(await lengthOf({ streak: daily }, excused)).toMatchObject({ streak: { length: 2 } });
  });
});

describe('the award of a late event', () => {
  const triggers = [
    { type: 'time', unit: 'day', interval: 1, points: 5 },
    { type: 'time', unit: 'hour', interval: 36, points: 5 },
    { type: 'metric', metric: 'lessons', threshold: 2, points: 4 },
  ];
  const points = [{ key: 'energy', name: 'Energy', maxPoints: 10, triggers }];
  const awardsOf = async (look: Look) => {
    const account = await ada({ points }, look);
    const awards = effectsOfType(account.effectsOf(ADA), 'PointsAwarded');
    return awards.map(({ at, awarded }) => [new Date(at).toISOString().slice(8, 16), awarded]);
  };

  it('is limited by what due awards of a sweep have left (sections 6.4, 7.6)', async () => {
    expect(await awardsOf(nobodyLooks)).toEqual([
      ['07T12:00', 5],
      ['07T13:00', 4],
      ['08T00:00', 1],
    ]);
    expect(await awardsOf(swept)).toEqual([
      ['07T12:00', 5],
      ['08T00:00', 5],
    ]);
  });
});
