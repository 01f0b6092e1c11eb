import { RunBuilder } from '@laurel/leaderboards';

/** xorshift: the same users and values in every run. */
function randomNumbers(seed) {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** So many standings, in no order. */
export function standingsOf(count) {
  const random = randomNumbers(count);
  return Array.from({ length: count }, (_, i) => ({
    subject: i + 1,
    score: 1_000_000 * (1 + random(10_000)),
    reachedAt: 1.7e12 + random(1e9),
    position: i,
    ordinal: 0,
  }));
}

/** A run with these standings, as the product holds it. */
export function runOf(standings) {
  const builder = new RunBuilder();
  builder.add(standings);
  return builder.build();
}

/** The rank index of the product: a move answers the ranks directly before and after it. */
export class IndexedBoard {
  constructor(standings) {
    this.run = runOf(standings);
  }
  standingOf(subject) {
    return this.run.get(subject);
  }
  move(_user, next) {
    const { aheadBefore, aheadAfter } = this.run.put(next.subject, next);
    return [aheadBefore + 1, aheadAfter + 1];
  }
}

/** Each contender begins each round anew, since a slow one gets through less of the list. */
export function changesOf(round, participants, count) {
  const random = randomNumbers(round + 1);
  return Array.from({ length: count }, (_, i) => ({
    user: random(participants),
    add: 1_000_000 * (1 + random(50)),
    at: 1.8e12 + round * 1e6 + i,
    position: 1e7 + round * count + i,
  }));
}
