import { formatInstant } from '@laurel/calendar';
import type { ConfigurationHistory, LeaderboardDefinition, Subject, BoardRanking, BoardRun } from '@laurel/kernel';
import type { ExplainedChange } from '@laurel/ports';
import { jsonAmount, jsonInteger, type ContributionAnswer, type ExplainedStandingAnswer } from '@laurel/schemas';
import { causingEvent, knownTrigger } from './explain-answer.ts';

/** A user's standing in a run of a board. */
export interface Standing {
  readonly run: BoardRun | null;
  /** Why there is no run, or null if there is one. */
  readonly status: 'not_begun' | 'outside_dates' | null;
  /** null if the user has a value. */
  readonly uncounted: ExplainedStandingAnswer['uncounted'];
  readonly rank: number | null;
  readonly value: bigint | null;
  readonly changes: readonly ExplainedChange[];
  /** The ranked users next to this one, and the last one of a full board. */
  readonly places: readonly BoardRanking[];
  /** The ids of the users in `places`. */
  readonly ids: ReadonlyMap<Subject, string>;
  /** The cursor of the next page of changes, or null on the last page. */
  readonly next: string | null;
}

export function explainedStandingAnswer(
  { key, maxParticipants, start, end }: LeaderboardDefinition,
  { run, status: without, uncounted, rank, value, changes, places, ids, next }: Standing,
  triggers: Pick<ConfigurationHistory, 'findTrigger'>,
): ExplainedStandingAnswer {
  const at = (wanted: number) => places.find((place) => place.rank === wanted) ?? null;
  const shown = (place: BoardRanking) => ({
    userId: ids.get(place.subject) ?? null,
    rank: place.rank,
    value: jsonAmount(place.value),
  });
  const neighbour = (place: BoardRanking | null) =>
    place && { ...shown(place), decidedBy: place.value === value ? ('reached_first' as const) : ('value' as const) };
  const status = without ?? statusOf(rank, value);
  const last = at(maxParticipants);
  const isBeyond = status === 'beyond_max_participants' && last !== null && value !== null;
  return {
    leaderboard: key,
    status,
    start,
    end,
    uncounted,
    runStart: run?.start ?? null,
    runEnd: run?.end ?? null,
    rank,
    maxParticipants,
    value: value === null ? null : jsonAmount(value),
    lastRanked: last && shown(last),
    behindLast: isBeyond ? jsonAmount(last.value - value) : null,
    above: rank === null ? null : neighbour(at(rank - 1)),
    below: rank === null ? null : neighbour(at(rank + 1)),
    contributions: changes.map((one) => contributionAnswer(one, triggers)),
    next,
  };
}

function contributionAnswer(
  { record, at, zone, change, value, previousRank, rank, awards }: ExplainedChange,
  triggers: Pick<ConfigurationHistory, 'findTrigger'>,
): ContributionAnswer {
  return {
    at: formatInstant(at),
    zone,
    event: causingEvent(record),
    awards:
      awards?.map((award) => ({
        type: award.type,
        trigger: knownTrigger(award.triggerId, at, triggers),
        change: jsonInteger(award.change),
      })) ?? null,
    change: jsonAmount(change),
    value: jsonAmount(value),
    previousRank,
    rank,
    version: record.configurationVersion,
  };
}

function statusOf(rank: number | null, value: bigint | null): ExplainedStandingAnswer['status'] {
  if (rank !== null) return 'ranked';
  if (value === null) return 'no_value';
  return value > 0n ? 'beyond_max_participants' : 'not_positive';
}
