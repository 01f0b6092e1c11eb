import { Explainer } from '@laurel/explain';
import { LiveLog } from '@laurel/stored-effects';
import { openReads, type AreaReads } from '@laurel/all-areas';
import { placesOfUser } from '@laurel/erasures';
import type { LiveCorrections } from '@laurel/corrections';
import type { Corrections, LiveReads } from '@laurel/ports';
import type { ConfigurationHistory, SqlReader } from '@laurel/kernel';
import { BoundedReads, type ConnectionOptions, type ReadBounds } from '@laurel/database';
import type { PostgresDirectory, ReadDirectory } from '@laurel/directory';
import { PostgresLogReader } from '@laurel/event-store';
import type { LeaderboardsArea } from '@laurel/leaderboards';
import { positionsInPostgres, postgresStateReader, readDocuments, UserEvents } from '@laurel/engine';
import type { Outcomes, PostgresOutcomes } from '@laurel/outgoing';

/** Additional reads for people, over small pools. */
export interface BoundedService {
  readonly sql: SqlReader;
  readonly log: PostgresLogReader;
  readonly directory: ReadDirectory;
  readonly outcomes: Outcomes;
  readonly corrections: Pick<Corrections, 'preview'>;
  /** Finds the session of each request of a page, without waiting for other reads. */
  readonly lookUps: SqlReader;
  placesOfUser(asked: Parameters<typeof placesOfUser>[1]): ReturnType<typeof placesOfUser>;
}

/** Each look-up finds one row by its hash. */
const LOOK_UPS: ReadBounds = { connections: 1, waitMs: 2_000, runMs: 2_000, mostWaiting: 256 };

/** An erasure counts all rows of a user, which may be many. */
const COUNTING: ReadBounds = { connections: 1, waitMs: 60_000, runMs: 60_000, mostWaiting: 4 };

interface Source {
  readonly connection: ConnectionOptions;
  readonly directory: PostgresDirectory;
  readonly boards: LeaderboardsArea;
  readonly configuration: (account: string) => ConfigurationHistory;
}

/** Reads for people over separate small pools, so that requests of applications never wait for them. */
export class BoundedPools {
  readonly areas: AreaReads;
  readonly explain: Explainer;
  readonly #configuration: Source['configuration'];
  readonly #pages: BoundedReads;
  readonly #lookUps: BoundedReads;
  readonly #counting: BoundedReads;
  readonly #directory: ReadDirectory;
  readonly #log: PostgresLogReader;

  constructor({ connection, directory, boards, configuration }: Source) {
    this.#configuration = configuration;
    this.#pages = new BoundedReads(connection);
    this.#lookUps = new BoundedReads(connection, LOOK_UPS);
    this.#counting = new BoundedReads(connection, COUNTING);
    this.#directory = directory.readBy(this.#pages);
    this.#log = new PostgresLogReader(this.#pages, this.#directory);
    this.areas = openReads(this.#pages, boards, configuration);
    this.explain = new Explainer({
      sqlOf: () => this.#pages,
      log: this.#log,
      states: postgresStateReader(this.#pages),
      configurations: configuration,
      ...this.areas,
    });
  }

  /** @param applied the position up to which the live feed may show events */
  live(applied: () => number): LiveReads {
    return new LiveLog({
      sqlOf: () => this.#pages,
      log: this.#log,
      directory: this.#directory,
      configurations: this.#configuration,
      applied: () => Promise.resolve(applied()),
    });
  }

  service(outcomes: PostgresOutcomes, corrections: LiveCorrections): BoundedService {
    const [pages, log] = [this.#pages, this.#log];
    return {
      sql: pages,
      log,
      directory: this.#directory,
      outcomes: outcomes.readBy(pages),
      corrections: corrections.previewsBy({
        log,
        user: {
          events: new UserEvents(positionsInPostgres(pages), log),
          documents: { loadDocuments: (users) => readDocuments(pages, users) },
        },
      }),
      lookUps: this.#lookUps,
      placesOfUser: (asked) =>
        placesOfUser({ sql: this.#counting, ...this.areas, configuration: this.#configuration }, asked),
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#pages, this.#lookUps, this.#counting].map((pool) => pool.close()));
  }
}
