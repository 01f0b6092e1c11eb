import { parseAmount, type Amount } from '@laurel/amounts';
import { formatInstant, type Instant } from '@laurel/calendar';
import type { ConfigurationHistory, SqlReader, StateReader, Subject } from '@laurel/kernel';
import type { AchievementReads, Completion } from '@laurel/ports';
import { sumName } from './rules/achievements-plan.ts';
import { storedSums } from './rules/achievements-state.ts';

/** The read side of the achievements area. */
export class AchievementQueries implements AchievementReads {
  readonly #sql: SqlReader;
  readonly #states: Pick<StateReader, 'read'>;
  readonly #configurationOf: (account: string) => ConfigurationHistory;

  constructor(
    sql: SqlReader,
    states: Pick<StateReader, 'read'>,
    configurationOf: (account: string) => ConfigurationHistory,
  ) {
    this.#sql = sql;
    this.#states = states;
    this.#configurationOf = configurationOf;
  }

  async completedBy(account: string, subject: Subject): Promise<ReadonlyMap<string, Instant>> {
    const rows = await this.#sql.query<{ key: string; achieved_at: Date }>(
      `select key, achieved_at
       from achievement_completions join unnest($2::text[]) with ordinality as named (key, achievement) using (achievement)
       where subject = $1 and achieved_at is not null order by position, key collate "C"`,
      [subject, this.#configurationOf(account).current.names.achievements.all],
    );
    return new Map(rows.map((row) => [row.key, row.achieved_at.getTime()]));
  }

  async matchingSums(account: string, subject: Subject): Promise<ReadonlyMap<string, Amount>> {
    const sums = storedSums(await this.#states.read(account, subject, 'achievements'));
    const { achievements } = this.#configurationOf(account).current;
    const known = achievements.flatMap(({ key, trigger }) => {
      const sum = trigger.type === 'metric' ? sums.get(sumName(key, trigger.metric.key)) : undefined;
      return sum === undefined ? [] : [[key, parseAmount(sum)] as const];
    });
    return new Map(known);
  }

  /**
   * Completions of a configured achievement, newest first, then by subject; only completions after `after`.
   * Includes users of other accounts: the directory knows the account of a subject.
   */
  async completions(
    account: string,
    achievement: string,
    after: Completion | null,
    limit: number,
  ): Promise<readonly Completion[]> {
    const number = this.#configurationOf(account).current.names.achievements.numberOf(achievement);
    const rows = await this.#sql.query<{ subject: string; achieved_at: Date }>(
      `select subject, achieved_at from achievement_completions
       where achievement = $1 and achieved_at is not null ${after === null ? '' : 'and (achieved_at, subject) < ($3::timestamptz, $4::bigint)'}
       order by achieved_at desc, subject desc limit $2`,
      [number, limit, ...(after === null ? [] : [formatInstant(after.achievedAt), after.subject])],
    );
    return rows.map((row) => ({ subject: Number(row.subject), achievedAt: row.achieved_at.getTime() }));
  }

  async counts(account: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#sql.query<{ achievement: string; completions: string }>(
      'select achievement, sum(completions) as completions from achievement_counts where account = $1 group by achievement',
      [account],
    );
    return new Map(rows.map((row) => [row.achievement, Number(row.completions)]));
  }
}
