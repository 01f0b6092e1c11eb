import pg from 'pg';
import { Load } from './load.ts';
import { caughtUp, verified } from './proof.ts';
import type { Topology } from './topology.ts';

/** A change of one record of the log, in the place that the verification reads. */
export interface ChangedLog {
  readonly table: string;
  /** The assignment that changes a value, and the condition that selects its row. */
  readonly change: readonly [string, string];
  /** The message of the finding. */
  readonly named: RegExp;
}

/**
 * Tests verifications of the stored data, intact and with one changed row, in any topology with the configuration of
 * the HTTP suite.
 */
export function describeVerification(running: () => Topology, log: ChangedLog): void {
  describe('a verification', () => {
    /** The findings while one row of a table is changed. */
    async function messagesWith(table: string, change: string, which: string): Promise<readonly string[]> {
      const client = new pg.Client(running().postgres.connection);
      await client.connect();
      const replace = (row: string, other: string) =>
        client.query(`
          delete from ${table} t using public.${row} r where to_jsonb(t) = to_jsonb(r);
          insert into ${table} select * from public.${other}`);
      try {
        await client.query(`
          create table public.kept as select * from ${table} where ${which} limit 1;
          create table public.changed as select * from public.kept;
          update public.changed set ${change}`);
        await replace('kept', 'changed');
        const { state, error, findings } = await verified(running(), false);
        await replace('changed', 'kept');
        expect([state, error]).toEqual(['done', null]);
        return findings.map(({ message }) => message);
      } finally {
        await client.query('drop table public.kept, public.changed');
        await client.end();
      }
    }

    it('finds that everything fits, in the log and in what the services store', async () => {
      const { head } = await caughtUp(running());
      const { folded, users, ...verification } = await verified(running(), true);
      expect(verification).toMatchObject({ state: 'done', error: null, findings: [], more: false });
      expect(verification.verified).toBeGreaterThanOrEqual(head);
      expect(folded).toBeGreaterThan(50);
      expect(users).toBe(folded);
    });

    it('finds it while events are still answered', async () => {
      const load = Load.on(running(), 4);
      for (let times = 0; times < 3; times++) {
        const { state, error, findings } = await verified(running(), false);
        expect([state, error, findings]).toEqual(['done', null, []]);
        await load.more(7);
      }
      await load.stop();
      expect(load.violations).toEqual([]);
      await caughtUp(running());
    });

    it.each([
      [log.table, ...log.change, log.named],
      ['laurel_streak.metric_day_counts', 'events = events + 7', 'true', /^metric_day_counts: /],
      [
        'laurel_achievement.effects',
        "occurred_at = occurred_at + interval '1 s'",
        'true',
        /^laurel_achievement.effects: /,
      ],
      ['laurel_achievement.achievement_counts', 'completions = completions + 1', 'true', /^achievement_counts: /],
      ['laurel_points.points_months', "days = '{}'", "days::text <> '{}'", /^points_months: .* of user "/],
      ['laurel_leaderboard.board_standings', 'value = value + 1', 'value > 0', /^board_standings: .* of user "/],
    ])('names what one changed row of %s changes', async (table, change, which, named) => {
      const messages = await messagesWith(table, change, which);
      expect(messages).toContainEqual(expect.stringMatching(named));
      expect((await verified(running(), false)).findings).toEqual([]);
    });
  });
}
