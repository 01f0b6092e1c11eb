import {
  BY_TOTAL,
  CONDITIONS,
  LESSONS,
  LESSONS_BOARD,
  POINTS,
  SCHOLAR,
  TEN,
  UNITS,
  WEEK,
  WEEKLY_XP,
  WEEK_LENGTH,
  XP,
  runOf,
} from './product.mjs';

/**
 * The rules in JavaScript, for the baseline that decides in Node between its statements.
 *
 * @param {{ total: number, highest: number, streak: object | null, achievements: Set<number>, points: number[] }} state of the user; `total` and `highest` are those of the metric
 */
export function decide(state, { metric, value }, day, newId) {
  const total = state.total + value;
  const highest = Math.max(state.highest, total);
  const streak = moveStreak(state.streak, metric, value, day);
  const achievements = complete(state.achievements, metric, total, streak);
  const points = POINTS.map((system, place) => {
    const fired = firedBy(system, metric, state.highest, highest, streak, achievements);
    return award(place, system.cap, state.points[place], fired, newId);
  }).filter((points) => points !== null);
  return { total, highest, streak, achievements, points, changes: boardChanges(metric, value, points, day) };
}

function moveStreak(known, metric, value, day) {
  const sameDay = known !== null && known.day >= day;
  const progress = sameDay ? [...known.progress] : [0, 0];
  progress[metric] += value;
  const last = known?.last ?? null;
  const alive = last !== null && last >= day - 1;
  const length = alive ? known.length : 0;
  const started = alive ? known.started : null;
  const extended = (last === null || last < day) && progress.some((sum, place) => sum >= CONDITIONS[place]);
  if (!extended) return { length, started, last, day, progress, extended };
  return { length: length + 1, started: started ?? day, last: day, day, progress, extended };
}

function complete(known, metric, total, streak) {
  const completed = BY_TOTAL.filter(
    (by) => by.metric === metric && total >= by.total && !known.has(by.achievement),
  ).map(({ achievement }) => achievement);
  if (streak.extended && streak.length >= WEEK_LENGTH && !known.has(WEEK)) completed.push(WEEK);
  const has = (achievement) => known.has(achievement) || completed.includes(achievement);
  if (has(TEN) && has(WEEK) && !known.has(SCHOLAR)) completed.push(SCHOLAR);
  return completed;
}

function firedBy({ byMetric, byStreak, byAchievement }, metric, before, after, streak, achievements) {
  const fired = [];
  for (const { trigger, metric: of, threshold, points } of byMetric) {
    const times = of === metric ? Math.floor(after / threshold) - Math.floor(before / threshold) : 0;
    if (times > 0) fired.push({ trigger, points: times * points });
  }
  if (streak.extended && streak.length % byStreak.length === 0) fired.push(byStreak);
  if (byAchievement !== undefined && achievements.includes(byAchievement.achievement)) fired.push(byAchievement);
  return fired;
}

function award(system, cap, before, fired, newId) {
  if (fired.length === 0) return null;
  let total = before;
  const awards = [];
  for (const { trigger, points } of fired) {
    const awarded = Math.min(points, cap - total);
    if (awarded === 0) continue;
    total += awarded;
    awards.push({ id: newId(), trigger, awarded, total });
  }
  return { system, before, total, awards };
}

function boardChanges(metric, value, points, day) {
  const changes = [];
  if (metric === LESSONS && value !== 0)
    changes.push({ board: LESSONS_BOARD, run: runOf(LESSONS_BOARD, day), change: value });
  const xp = points.find(({ system }) => system === XP);
  if (xp !== undefined && xp.total !== xp.before)
    changes.push({ board: WEEKLY_XP, run: runOf(WEEKLY_XP, day), change: (xp.total - xp.before) * UNITS });
  return changes;
}
