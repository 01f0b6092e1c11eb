// The strategic merge of Kubernetes: objects are merged, lists of named things by their name, other lists are replaced.

/** Lists of objects, by the field in which they stand: which field tells the entries apart. */
const MERGE_KEYS = new Map([
  ['containers', 'name'],
  ['env', 'name'],
  ['volumes', 'name'],
  ['volumeMounts', 'mountPath'],
  ['ports', 'containerPort'],
]);

/**
 * `change` laid over `base`; null takes a field away. Neither is changed.
 * @throws {Error} for a list of objects that cannot be merged by what is known here, and for `$patch` and its like
 */
export function mergeStrategically(base, change, field = '') {
  if (Array.isArray(change)) return mergeLists(base, change, field);
  if (change === null || typeof change !== 'object') return change;
  const merged = isObject(base) ? { ...base } : {};
  for (const [key, value] of Object.entries(change)) {
    if (key.startsWith('$')) throw new Error(`${key} is not known here`);
    if (value === null) delete merged[key];
    else merged[key] = mergeStrategically(merged[key], value, key);
  }
  return merged;
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** New entries stand before those that were there, as kubectl has it. */
function mergeLists(base, change, field) {
  if (base === undefined || !change.some(isObject)) return change;
  const key = MERGE_KEYS.get(field);
  if (key === undefined) throw new Error(`lists of ${field} cannot be merged here`);
  const named = (list, name) => list.find((entry) => entry[key] === name);
  if (change.some((entry) => entry[key] === undefined)) throw new Error(`an entry of ${field} has no ${key}`);
  return [
    ...change.filter((entry) => !named(base, entry[key])),
    ...base.map((entry) => {
      const over = named(change, entry[key]);
      return over === undefined ? entry : mergeStrategically(entry, over);
    }),
  ];
}
