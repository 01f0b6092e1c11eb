import type { Amount } from '@laurel/amounts';
import {
  EffectList,
  occasionOf,
  type BoardOutcome,
  type BoardsApplied,
  type BoardsLayer,
  type ChainMessage,
  type Configuration,
  type MissingRuns,
  type Row,
  type SqlReader,
  type Subject,
  type BoardRanking,
} from '@laurel/kernel';
import { LeaderboardQueries } from '../leaderboard-queries.ts';
import { LeaderboardsArea, type LeaderboardsAreaOptions } from '../leaderboards-area.ts';
import { RANK_CHANGES, STANDINGS } from '../tables.ts';
import { historyOf } from './configuration.ts';

/** An empty database. */
export const emptyDatabase: SqlReader = { query: () => Promise.resolve([]) };

export const applyTo = (
  layer: BoardsLayer,
  message: ChainMessage,
  configuration: Configuration,
): BoardsApplied | MissingRuns => {
  const occasion = occasionOf(message.record, message.user, configuration);
  return layer.apply(occasion, configuration, new EffectList(occasion, configuration, null, message.effects), true);
};

/** Loads the runs that the message needs, and applies it. */
export async function applyLoaded(
  area: LeaderboardsArea,
  layer: BoardsLayer,
  message: ChainMessage,
  configuration: Configuration,
): Promise<BoardsApplied> {
  const tried = applyTo(layer, message, configuration);
  if (!('missing' in tried)) return tried;
  await area.load(tried.missing);
  const applied = applyTo(layer, message, configuration);
  if ('missing' in applied) throw new Error('a run is still missing');
  return applied;
}

/** The area under one configuration, called in the way of the engine. */
export class Boards {
  readonly area: LeaderboardsArea;
  readonly reads: LeaderboardQueries;
  readonly #configuration: Configuration;

  constructor(configuration: Configuration, sql: SqlReader = emptyDatabase, options: LeaderboardsAreaOptions = {}) {
    this.#configuration = configuration;
    this.area = new LeaderboardsArea(sql, options);
    this.reads = new LeaderboardQueries(this.area, sql, () => historyOf(configuration));
  }

  async applyTo(layer: BoardsLayer, message: ChainMessage): Promise<Applied> {
    const { answerPart, rows } = await applyLoaded(this.area, layer, message, this.#configuration);
    return {
      boards: answerPart?.boards ?? [],
      standings: rows.get(STANDINGS) ?? [],
      changes: rows.get(RANK_CHANGES) ?? [],
    };
  }

  /** Applies each message and commits it. */
  async apply(...messages: readonly ChainMessage[]): Promise<Applied[]> {
    const applied: Applied[] = [];
    for (const message of messages) {
      const layer = this.area.openLayer(null);
      applied.push(await this.applyTo(layer, message));
      layer.publish();
    }
    return applied;
  }

  /** The committed rankings of the run that contains the date. */
  async rankings(board: string, date = '2026-01-10', offset = 0, limit = 1_000_000): Promise<readonly BoardRanking[]> {
    const run = this.reads.run(this.#configuration.account, board, 0, date);
    return run ? this.reads.rankings(this.#configuration.account, board, run, { offset, limit }) : [];
  }

  async standing(
    board: string,
    subject: Subject,
    date = '2026-01-10',
  ): Promise<{ rank: number | null; value: Amount | null }> {
    const run = this.reads.run(this.#configuration.account, board, 0, date);
    if (run === null) throw new Error(`${board} has no run on ${date}`);
    return this.reads.standing(this.#configuration.account, board, run, subject);
  }
}

export interface Applied {
  readonly boards: readonly BoardOutcome[];
  readonly standings: readonly Row[];
  readonly changes: readonly Row[];
}
