import { available } from '../frame/candidates.mjs';
import { checkAnswers } from '../frame/check-answers.mjs';

/** All candidates must answer alike; nothing is measured. */
export async function check({ candidates, checkEvents }) {
  const names = available(candidates);
  const startedAt = performance.now();
  const { events, users, seen } = await checkAnswers(names, { events: checkEvents });
  const covered = Object.entries(seen).map(([what, count]) => `${what} ${count}`);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  console.log(
    `${names.join(', ')}: the same answers to ${events} events of ${users} users (${covered.join(', ')}), ${seconds} s`,
  );
  return null;
}
