import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { CONFIGURATION } from '../configuration.mjs';
import { randomFrom } from './sequence.mjs';

/**
 * The history that rules, rebuilds and imports are measured with: the first `events` lines of a file in the form of an import (.gz
 * is unpacked), or a made-up one.
 *
 * @returns {{ file: string, config: string, events: number, title: string }} paths in the folder
 */
export function writeHistory(folder, { history, config, events }) {
  if ((history === undefined) !== (config === undefined)) throw new Error('--history and --config go together');
  const lines = history === undefined ? madeUp(events) : linesOf(history).slice(0, events);
  const file = join(folder, 'history.ndjson');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const configFile = join(folder, 'laurel.yaml');
  writeFileSync(configFile, config === undefined ? CONFIGURATION : readFileSync(config));
  const title = history === undefined ? 'a made-up history of two years, 5,000 users' : 'a recorded history';
  return { file, config: configFile, events: lines.length, title };
}

function linesOf(path) {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  return text.split('\n').filter((line) => line !== '');
}

/** 5,000 users, three metrics, two years, in order of time. */
function madeUp(events) {
  const random = randomFrom(42);
  const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Sydney'];
  const from = Date.parse('2024-01-01T00:00:00Z');
  const step = (2 * 365 * 86_400_000) / events;
  return Array.from({ length: events }, (_, index) => {
    // Few users do most of it, as ever.
    const user = Math.min(random(5_000), random(5_000), random(5_000));
    const metric = ['lessons', 'words', 'hints'][Math.min(random(4), 2)];
    return JSON.stringify({
      metric,
      user: { id: `user-${user}`, tz: zones[user % zones.length] },
      value: metric === 'words' ? 1 + random(200) : 1,
      idempotencyKey: `event-${index}`,
      timestamp: new Date(from + Math.floor(index * step)).toISOString(),
    });
  });
}
