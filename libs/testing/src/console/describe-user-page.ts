import type { Ask } from './ask.ts';
import type { Locator } from 'playwright-core';
import type { Json } from '../http-suite/index.ts';
import type { Visit } from './visit.ts';

/** A service with the configuration of the HTTP suite, and a user who has every right at its console. */
export interface ConsoleUnderTest {
  /** A signed-in browser. */
  readonly visit: () => Visit;
  /** @throws Error unless the answer is a success */
  readonly ask: Ask;
  /** Resolves once everything recorded is applied. */
  readonly settled: () => Promise<unknown>;
}

/** A user who leads until the veteran passes. */
const RIVAL = 'rival';
/** A user with data of every kind. */
const VETERAN = { id: 'veteran', name: 'Vera <i>of</i> Everything' };
const EVENTS = [
  ['lessons', 500],
  ['lessons', 700],
  ['reviews', 1.5],
  ['words', 25],
  ['spent', 3],
] as const;
const NAMES = { lessons: 'Lessons', reviews: 'Reviews', words: 'Words', spent: 'Energy spent' };
/** A user who has reached almost nothing, so that much is missing. */
const BEGINNER = { id: 'beginner', name: 'Ben' };
const BOARDS = ['lessons-all', 'words-all', 'xp-monthly', 'streaks'];

/** A number as the pages format it. */
const shown = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 6 });
const signed = (value: number): string => (value > 0 ? `+${shown(value)}` : shown(value));
const counted = (count: number, one: string): string => `${shown(count)} ${count === 1 ? one : `${one}s`}`;

/** Compares every number on a user's page with the API's answers. */
export function describeUserPage({ visit, ask, settled }: ConsoleUnderTest): void {
  describe('the page of a user', () => {
    const admin = (id: string, path = ''): Promise<Json> => ask('GET', `/admin/v1/users/${id}${path}`);
    const open = (id: string, query = '') => visit().openWhole(`/users/${id}${query}`);
    const card = (title: string | RegExp): Locator =>
      visit().page.locator('.card', { has: visit().page.getByRole('heading', { level: 2, name: title }) });
    const asTable = (of: Locator) => of.getByRole('button', { name: 'As a table' }).click();
    const columnsOf = async (caption: string, columns: readonly number[]) =>
      (await visit().rows(caption)).map((cells) => columns.map((column) => cells[column]));
    const instantsIn = (place: Locator) =>
      place.locator('time').evaluateAll((times) => times.map((time) => time.getAttribute('datetime')));

    async function record(user: object, metric: string, value: number): Promise<void> {
      await ask('POST', `/v1/metrics/${metric}/event`, { user, value });
      await settled();
    }

    beforeAll(async () => {
      await record({ id: RIVAL }, 'lessons', 900);
      await ask('PUT', `/v1/users/${VETERAN.id}`, { tz: 'Europe/Paris' });
      for (const [metric, value] of EVENTS) await record({ ...VETERAN, tz: 'Europe/London' }, metric, value);
      await record({ ...BEGINNER, tz: 'UTC' }, 'lessons', 4);
    });

    /** By the name of each figure: its number, and the text beside it. */
    async function figures(): Promise<Readonly<Record<string, readonly (string | null)[]>>> {
      const all = await visit().page.locator('.figures .figure').all();
      const texts = await Promise.all(
        all.map(async (figure) => {
          const [name, number] = [figure.locator('dt').textContent(), figure.locator('strong').textContent()];
          const note = figure.locator('dd > span').textContent();
          return [await name, [await number, await note]] as const;
        }),
      );
      return Object.fromEntries(texts);
    }

    describe.each([VETERAN, BEGINNER])('$id', ({ id, name }) => {
      it('has the totals, the levels, and the freezes and the last day of the streak', async () => {
        await open(id);
        const { metrics, points } = await admin(id);
        const streak = await ask('GET', `/v1/users/${id}/streak`);
        const system = (key: string) => ask('GET', `/v1/users/${id}/points/${key}`);
        const systems: Json[] = await Promise.all(points.map((one: Json) => system(one.system)));
        const until = streak.expires === null ? 'no active streak' : `up to ${streak.expires}`;
        const level = (of: Json) => (of === null ? '' : of.key);
        expect(await figures()).toEqual({
          Streak: [shown(streak.length), `${until} · ${counted(streak.freezes, 'freeze')}Why?`],
          ...Object.fromEntries(
            systems.map((one, n) => [points[n].system, [shown(one.total), `${level(one.level)}Why?`]]),
          ),
          ...Object.fromEntries(metrics.map(({ key, total }: Json) => [key, [shown(total), 'Why?']])),
        });
        expect(await visit().page.locator('h1').textContent()).toBe(name);
      });

      it('says how many freezes are left, of how many, and how more are earned', async () => {
        await open(id);
        const { freezes, maxFreezes, ...earned } = await ask('GET', `/v1/users/${id}/streak`);
        const { freezeAutoEarnAmount: amount, freezeAutoEarnInterval: days } = earned;
        await card('Streak')
          .getByText(
            `${counted(freezes, 'freeze')} of at most ${shown(maxFreezes)} left to bridge what is missed; ` +
              `${shown(amount)} more every ${counted(days, 'day')}.`,
            { exact: true },
          )
          .waitFor();
      });

      it('says of each achievement when it was completed, or what is missing', async () => {
        await open(id);
        const { achievements } = await admin(id);
        const place = card('Achievements');
        const instants = await instantsIn(place);
        expect(instants.length).toBeGreaterThan(0);
        expect(instants.sort()).toEqual(achievements.map(({ achievedAt }: Json) => achievedAt).sort());
        const completed = new Set(achievements.map(({ key }: Json) => key));
        const all: Json[] = await ask('GET', `/v1/users/${id}/achievements?includeIncomplete=true`);
        const missing = all.filter(({ key }) => !completed.has(key));
        const whyNot = place.getByRole('button', { name: /^Why not\?/ });
        expect([all.length, await whyNot.count()]).toEqual([7, missing.length]);
        for (const achievement of missing) {
          const row = place.getByRole('listitem').filter({ hasText: achievement.name });
          const { progress } = achievement;
          const shares = progress ? [`${shown(progress.have)} of ${shown(progress.need)}`] : [];
          expect(await row.locator('.share').allTextContents()).toEqual(shares);
          await row.getByRole('button').click();
          await visit().settled();
          const reason = whyNotOf(await admin(id, `/explain/achievements/${achievement.key}`));
          expect([achievement.key, await row.locator('.muted').textContent()]).toEqual([achievement.key, reason]);
        }
        expect(await whyNot.count()).toBe(0);
      });

      it.each(BOARDS)('has the rank on %s, now and over time', async (board) => {
        await open(id, `?board=${board}`);
        const standing = await ask('GET', `/v1/users/${id}/leaderboards/${board}?numEvents=100`);
        const { rank, value, history } = standing;
        const place = card(`Rank on ${standing.name}`);
        const orNone = (one: number | null) => (one === null ? '–' : shown(one));
        expect(await place.locator('.figure strong').allTextContents()).toEqual([orNone(rank), orNone(value)]);
        if (history.length === 0) return void (await place.getByText('Nothing that this user did counted').waitFor());
        const ranks = history.flatMap((one: Json) => one.rank ?? []);
        const course = place.getByRole('img', { name: /^Rank after each/ });
        const label = await course.getAttribute('aria-label');
        expect(label).toContain(`rank ${shown(ranks.at(-1))} at the end, rank ${shown(Math.min(...ranks))} at best`);
        expect(await course.locator('circle').count()).toBe(ranks.length);
        await asTable(place);
        const caption = 'Rank after each of the user’s own changes';
        const newestFirst: Json[] = history.toReversed();
        expect(await columnsOf(caption, [1, 2])).toEqual(newestFirst.map((one) => [shown(one.rank), shown(one.value)]));
        expect(await instantsIn(place)).toEqual(newestFirst.map(({ timestamp }) => timestamp));
      });

      it('has the events, each with what was recorded', async () => {
        await open(id);
        const { events } = await admin(id, '/events?limit=20');
        const titles = await card('Timeline').locator('.timeline > li strong').allTextContents();
        expect(titles).toHaveLength(events.length);
        for (const [place, { metric, words }] of (events as Json[]).entries())
          if (metric !== undefined) expect(titles[place]).toBe(words);
      });
    });

    it('is of users who have all that is compared', async () => {
      const [veteran, beginner] = [await admin(VETERAN.id), await admin(BEGINNER.id)];
      expect([veteran.streak.length, veteran.metrics.length, veteran.points.length]).toEqual([1, 4, 3]);
      expect(veteran.points.map(({ system, level }: Json) => [system, level])).toContainEqual(['xp', 'silver']);
      expect(beginner.points.map(({ system, level }: Json) => [system, level])).toContainEqual(['xp', 'bronze']);
      expect([veteran.streak.expires, beginner.streak.expires]).toEqual([expect.stringMatching(/^2/), null]);
      const { history } = await ask('GET', `/v1/users/${VETERAN.id}/leaderboards/lessons-all?numEvents=100`);
      expect(history.map(({ rank, value }: Json) => [rank, value])).toEqual([
        ...[
          [2, 500],
          [1, 1_200],
        ],
      ]);
      const missing = await admin(BEGINNER.id, '/explain/achievements/ten-lessons');
      expect(missing).toMatchObject({ have: 4, need: 10, missing: 6 });
    });

    it.each(['xp', 'energy', 'capped'])('has the awards of %s, and the total of each day', async (system) => {
      await open(VETERAN.id, `?points=${system}`);
      const { entries } = await admin(VETERAN.id, `/explain/points/${system}`);
      expect(entries.length).toBeGreaterThan(0);
      expect(await columnsOf(`Awards of ${system}`, [2, 3])).toEqual(
        entries.map(({ change, total }: Json) => [signed(change), shown(total)]),
      );
      await asTable(card(`${system}, the last 90 days`));
      const days = await columnsOf(`Total of ${system} by day`, [0, 1]);
      const dates = `start_date=${days.at(-1)?.[0] ?? ''}&end_date=${days[0]?.[0] ?? ''}`;
      const path = `/v1/users/${VETERAN.id}/points/${system}/event-summary?aggregation=daily&${dates}`;
      const answer: Json[] = await ask('GET', path);
      expect(days).toHaveLength(90);
      expect(days).toEqual(answer.toReversed().map(({ date, total }) => [date, shown(total)]));
    });

    it('has the periods of the streak', async () => {
      await open(VETERAN.id);
      await asTable(card('Streak'));
      const { periods } = await admin(VETERAN.id, '/explain/streak?periods=100');
      expect(periods.length).toBeGreaterThan(0);
      expect(await columnsOf('Periods of the streak, newest first', [0, 2])).toEqual(
        periods.map(({ periodStart, length }: Json) => [periodStart, shown(length)]),
      );
    });

    it('marks the period in which the clock changed, and names the clocks in the table', async () => {
      await open(VETERAN.id);
      const [change, ...others]: Json[] = (await admin(VETERAN.id, '/explain/streak?periods=100')).zoneChanges;
      expect([change, others]).toMatchObject([{ from: 'Europe/Paris', to: 'Europe/London' }, []]);
      const said = 'Europe/Paris → Europe/London';
      const streak = card('Streak');
      await streak.getByRole('img', { name: /; the clock changed in 1 period$/ }).waitFor();
      const date = String(change?.['localTime']).slice(0, 10);
      const titles = await streak.locator('.calendar .moved').evaluateAll((marks) => marks.map(({ title }) => title));
      expect(titles).toEqual([expect.stringMatching(`^${date}: .*, clock ${said}$`)]);
      await asTable(streak);
      const rows = await columnsOf('Periods of the streak, newest first', [0, 3]);
      expect(rows.filter(([, clock]) => clock !== '')).toEqual([[date, said]]);
    });

    it('has every event that was sent in its timeline', async () => {
      await open(VETERAN.id);
      const titles = await card('Timeline').locator('.timeline > li strong').allTextContents();
      expect(titles).toEqual(
        expect.arrayContaining(EVENTS.map(([metric, value]) => `${shown(value)} ${NAMES[metric]}`)),
      );
    });
  });
}

/** The text of the page about an incomplete achievement. */
function whyNotOf({ have, need, missing, achievements, trigger }: Json): string {
  if (missing !== null) return `${shown(have)} of ${shown(need)}: ${shown(missing)} missing`;
  if (achievements !== null) return `still needs ${achievements.join(', ')}`;
  expect(trigger).toBe('api');
  return 'It is completed by a call.';
}
