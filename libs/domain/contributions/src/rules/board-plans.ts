import { formatDay, parseDay, type Day, type Instant } from '@laurel/calendar';
import {
  perConfiguration,
  type Configuration,
  type LeaderboardDefinition,
  type RunKey,
  type BoardRun,
} from '@laurel/kernel';
import { runKeyOf, runNameOf } from '../run-names.ts';
import { finalFrom, runHolding } from './runs.ts';

/** Boards by the metric or points system that feeds them, in configuration order. */
export interface LeaderboardsPlan {
  readonly account: string;
  /** How many top users are stored with each event that changes them; 0 if none are needed. */
  readonly announced: number;
  readonly boards: readonly BoardPlan[];
  /** Boards by the metric's index in the configuration. */
  readonly onMetric: readonly (readonly BoardPlan[])[];
  /** Boards by the points system's key. */
  readonly onPoints: ReadonlyMap<string, readonly BoardPlan[]>;
  readonly onStreak: readonly BoardPlan[];
}

/** A run of a board, as the tables identify it. */
export interface PlannedRun extends BoardRun {
  readonly board: BoardPlan;
  readonly key: RunKey;
  /** See `runNameOf`. */
  readonly name: string;
  /** First day of the run. */
  readonly day: Day;
  /** The instant at which the last date has ended in every zone. */
  readonly finalFrom: Instant;
}

/** A board, and its runs by the days that they contain. */
export class BoardPlan {
  readonly key: string;
  /** Index in the configuration. */
  readonly place: number;
  readonly maxParticipants: number;
  readonly #configuration: Pick<Configuration, 'account' | 'names'>;
  readonly #definition: LeaderboardDefinition;
  readonly #runs = new Map<Day, PlannedRun | null>();

  constructor(
    configuration: Pick<Configuration, 'account' | 'names'>,
    definition: LeaderboardDefinition,
    place: number,
  ) {
    this.#configuration = configuration;
    this.#definition = definition;
    this.key = definition.key;
    this.place = place;
    this.maxParticipants = definition.maxParticipants;
  }

  /** The run that contains the day, or null outside the board's dates. */
  runOn(day: Day): PlannedRun | null {
    const known = this.#runs.get(day);
    if (known !== undefined) return known;
    if (this.#runs.size >= DAYS_KEPT) this.#runs.clear();
    const run = this.#find(day);
    this.#runs.set(day, run);
    return run;
  }

  #find(day: Day): PlannedRun | null {
    const run = runHolding(this.#definition, formatDay(day));
    if (run === null) return null;
    const key = runKeyOf(this.#configuration, this.key, run);
    return { ...run, board: this, key, name: runNameOf(key), day: parseDay(run.start), finalFrom: finalFrom(run.end) };
  }
}

/** Most cached days of a board, about 100 bytes each. For a longer history, runs are computed again. */
const DAYS_KEPT = 10_000;

export const leaderboardsPlanOf = perConfiguration(compileLeaderboards);

function compileLeaderboards(configuration: Configuration): LeaderboardsPlan {
  const { account, leaderboards, metrics, names } = configuration;
  const boards = leaderboards.map((definition, place) => new BoardPlan({ account, names }, definition, place));
  const onMetric = new Map(metrics.map(({ key }) => [key, [] as BoardPlan[]]));
  const onPoints = new Map<string, BoardPlan[]>();
  const onStreak: BoardPlan[] = [];
  for (const board of boards) {
    const { rankBy } = leaderboards[board.place] as LeaderboardDefinition;
    switch (rankBy.type) {
      case 'metric':
        onMetric.get(rankBy.metric.key)?.push(board);
        break;
      case 'points': {
        const fed = onPoints.get(rankBy.pointsSystem.key) ?? [];
        onPoints.set(rankBy.pointsSystem.key, [...fed, board]);
        break;
      }
      case 'streak':
        onStreak.push(board);
        break;
      default:
        throw new Error(`a board ranked by something unknown: ${JSON.stringify(rankBy satisfies never)}`);
    }
  }
  const announced = announcedIn(configuration);
  return { account, announced, boards, onMetric: [...onMetric.values()], onPoints, onStreak };
}

const announcedIn = ({ outgoing }: Configuration): number =>
  outgoing?.types.has('leaderboard.rank_lost') || outgoing?.types.has('leaderboard.changed') ? outgoing.announceTop : 0;
