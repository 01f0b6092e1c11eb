import type { Instant } from '@laurel/calendar';
import type { AchievementReads, SqlReader, Subject } from '@laurel/contracts';

/** The read side of the achievements area. */
export class AchievementQueries implements AchievementReads {
  readonly #sql: SqlReader;

  constructor(sql: SqlReader) {
    this.#sql = sql;
  }

  async completedBy(account: string, subject: Subject): Promise<ReadonlyMap<string, Instant>> {
    const rows = await this.#sql.query<{ achievement: string; achieved_at: Date }>(
      'select achievement, achieved_at from achievement_completions where account = $1 and subject = $2 order by position, achievement',
      [account, subject],
    );
    return new Map(rows.map((row) => [row.achievement, row.achieved_at.getTime()]));
  }

  async counts(account: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#sql.query<{ achievement: string; completions: string }>(
      'select achievement, sum(completions) as completions from achievement_counts where account = $1 group by achievement',
      [account],
    );
    return new Map(rows.map((row) => [row.achievement, Number(row.completions)]));
  }
}
