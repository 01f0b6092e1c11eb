import { dateOf } from './local-day.mjs';
import { numberOf } from './millionths.mjs';
import { ACHIEVEMENTS, BOARDS, METRICS, SYSTEMS, WEEKLY_XP, firstDayOf } from './product.mjs';

/**
 * What a baseline found out about an event, in places of product.mjs and millionths.
 *
 * @typedef {object} Outcome
 * @property {string} eventId of a replay: of the original
 * @property {boolean} replayed
 * @property {number} total
 * @property {readonly number[]} achievements
 * @property {{ length: number, started: number | null, day: number, last: number | null, extended: boolean }} streak
 * @property {readonly { system: number, before: number, total: number, awards: readonly { id: string, trigger: number, awarded: number, total: number }[] }[]} points
 * @property {readonly { board: number, run: number, previousRank: number | null, rank: number | null }[]} boards
 */

/**
 * Writes the whole answer to an event (docs/specification.md 2.5).
 *
 * @param {import('../frame/descriptions.mjs').Descriptions} described what the configuration says of each thing
 */
export function answersFor(described) {
  const metricIds = METRICS.map((key) => described.metricIds[key]);
  const achievements = ACHIEVEMENTS.map((key) => described.achievements[key]);
  const systems = SYSTEMS.map((key) => described.systems[key]);
  const boards = BOARDS.map((key) => described.boards[key]);

  const levelAt = (levels, total) => levels.findLast(({ points }) => points <= total) ?? null;

  function pointsOf({ system, before, total, awards }, date, replayed) {
    const { triggers, levels, ...fields } = systems[system];
    const answer = { ...fields, total, added: total - before };
    const level = levelAt(levels, total);
    if (!replayed && level !== levelAt(levels, before)) answer.level = level;
    answer.awards = awards.map((award) => ({
      id: award.id,
      awarded: award.awarded,
      date,
      total: award.total,
      trigger: triggers[award.trigger],
    }));
    return answer;
  }

  function boardOf({ board, run, previousRank, rank }) {
    const answer = { ...boards[board], threshold: 0, previousRank, rank };
    if (board === WEEKLY_XP) {
      answer.start = dateOf(firstDayOf(run));
      answer.end = dateOf(firstDayOf(run) + 6);
    }
    return answer;
  }

  /** @param {Outcome} outcome */
  return function answerTo({ metric, key, now }, outcome) {
    const date = new Date(now).toISOString();
    const { length, started, day, last, extended } = outcome.streak;
    const answer = {
      metricId: metricIds[metric],
      eventId: outcome.eventId,
      total: numberOf(outcome.total),
      achievements: outcome.achievements.map((place) => ({ ...achievements[place], achievedAt: date })),
      currentStreak: {
        length,
        frequency: 'daily',
        started: length === 0 ? null : dateOf(started),
        periodStart: dateOf(day),
        periodEnd: dateOf(day),
        expires: length === 0 ? null : dateOf(last + 1),
        extended,
      },
      points: Object.fromEntries(
        outcome.points.map((points) => [SYSTEMS[points.system], pointsOf(points, date, outcome.replayed)]),
      ),
      leaderboards: Object.fromEntries(outcome.boards.map((board) => [BOARDS[board.board], boardOf(board)])),
    };
    if (key === null) return answer;
    return Object.assign(answer, { idempotentReplayed: outcome.replayed, idempotencyKey: key });
  };
}
