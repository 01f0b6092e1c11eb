const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Sydney', 'UTC'];
const HOUR = 3_600_000;
/** A Friday: the boards change their week soon. */
const STARTS_AT = Date.parse('2026-06-05T06:00:00Z');
const ODD_VALUES = { lessons: [0, -1, 0.5, 0.1, 3, 2.0000005, -0.0000005], words: [-40, 49.999999, 0.3, 450] };

/**
 * A made-up sequence of requests, the same for the same seed: users, metrics, values and keys come again, days pass. Each user
 * stays in one zone.
 *
 * @param {{ seed: number, events: number, users: number }} options
 * @returns {{ at: number, metric: string, key: string | null, body: object }[]} in the order in which they are sent
 */
export function sequenceOf({ seed, events, users }) {
  const random = randomFrom(seed);
  const pick = (list) => list[random(list.length)];
  const keyed = [];
  const zoned = new Set();
  let at = STARTS_AT;
  return Array.from({ length: events }, (_, index) => {
    // Some share an instant; most days hold about 30.
    if (random(4) !== 0) at += random(2 * HOUR);
    const again = keyed.length > 0 && random(8) === 0 ? pick(keyed.slice(-60)) : null;
    // Few users do most of it, as ever.
    const user = again?.user ?? Math.min(random(users), random(users));
    // Every third user hardly does lessons: their streaks come before what lessons complete.
    const isWords = user % 3 === 0 ? random(12) !== 0 : random(3) === 0;
    const metric = again?.metric ?? (isWords ? 'words' : 'lessons');
    const key = again?.key ?? (random(3) === 0 ? null : `key-${index}`);
    if (key !== null) keyed.push({ user, metric, key });
    const fields = { id: `user-${user}` };
    if (!zoned.has(user) || random(3) !== 0) fields.tz = ZONES[user % ZONES.length];
    zoned.add(user);
    if (random(4) === 0) fields.name = `Name ${random(100)}`;
    if (random(10) === 0) fields.attributes = { plan: pick(['free', 'paid']), team: pick(['a', 'b', null]) };
    const usual = metric === 'words' ? 1 + random(200) : 1;
    const value = random(6) === 0 ? pick(ODD_VALUES[metric]) : usual;
    return { at, metric, key, body: { user: fields, value } };
  });
}

/** @returns {(below: number) => number} */
export function randomFrom(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
