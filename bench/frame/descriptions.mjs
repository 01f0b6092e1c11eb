/**
 * What the answers say of configured things and nothing changes: ids, names, triggers. Laurel publishes them; the baselines
 * take them from there, so that all answers can be compared field by field.
 *
 * @typedef {object} Descriptions
 * @property {Record<string, string>} metricIds
 * @property {Record<string, object>} achievements
 * @property {Record<string, object>} systems with their `triggers` and `levels`
 * @property {Record<string, object>} boards
 *
 * @param {(path: string) => Promise<any>} read of Laurel's `/v1`
 * @returns {Promise<Descriptions>}
 */
export async function describe(read) {
  const achievements = await read('achievements');
  const boards = await read('leaderboards');
  const systems = {};
  for (const key of ['xp', 'gems'])
    systems[key] = { ...(await read(`points/${key}`)), levels: await read(`points/${key}/levels`) };
  return {
    metricIds: Object.fromEntries(
      achievements.flatMap(({ metricId, metricName }) => (metricId ? [[metricName.toLowerCase(), metricId]] : [])),
    ),
    achievements: byKey(achievements.map((all) => without(all, 'completions', 'rarity'))),
    systems,
    boards: byKey(boards.map((all) => without(all, 'status'))),
  };
}

const byKey = (things) => Object.fromEntries(things.map((thing) => [thing.key, thing]));
const without = (thing, ...names) =>
  Object.fromEntries(Object.entries(thing).filter(([name]) => !names.includes(name)));
