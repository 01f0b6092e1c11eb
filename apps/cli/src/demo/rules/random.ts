/** Returns the next number of a stream: at least 0, below 1. */
export type Random = () => number;

/**
 * A stream of numbers that is the same on every machine for the same seed and stream (sfc32, with 32-bit integers).
 * Every learner has a separate stream, so adding learners does not change the others.
 */
export function seededRandom(seed: number, stream: number): Random {
  const words = new Uint32Array([seed, Math.floor(seed / 2 ** 32), stream, 1]);
  const next = (): number => {
    const [a = 0, b = 0, c = 0, counter = 0] = words;
    const sum = (a + b + counter) >>> 0;
    words[3] = counter + 1;
    words[0] = b ^ (b >>> 9);
    words[1] = c + (c << 3);
    words[2] = ((c << 21) | (c >>> 11)) + sum;
    return sum / 2 ** 32;
  };
  // The first numbers of neighbouring streams are similar, so discard them.
  for (let discarded = 0; discarded < 16; discarded++) next();
  return next;
}

/** A whole number, both bounds included. */
export const between = (random: Random, min: number, max: number): number =>
  min + Math.floor(random() * (max - min + 1));

/** True with this probability. */
export const chance = (random: Random, probability: number): boolean => random() < probability;

export function pick<T>(random: Random, choices: readonly [T, ...T[]]): T {
  return choices[between(random, 0, choices.length - 1)] ?? choices[0];
}

/** One of the choices, with a probability proportional to its weight. */
export function pickWeighted<const T>(
  random: Random,
  choices: readonly [readonly [T, number], ...(readonly [T, number])[]],
): T {
  const total = choices.reduce((sum, [, weight]) => sum + weight, 0);
  let left = random() * total;
  const chosen = choices.find(([, weight]) => (left -= weight) < 0);
  return (chosen ?? choices[0])[0];
}
