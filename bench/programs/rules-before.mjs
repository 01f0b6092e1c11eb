// The rules alone, as of d8b6d74: runs in a checkout of that commit, where its own libraries are found.
//
//   node bench/programs/rules-before.mjs FILE CONFIG
//
// Applies the events from nothing, twice, and measures the second time: the code is warm then.
import { readFileSync } from 'node:fs';
import { USER_AREAS } from '@laurel/areas';
import { compileHistory, parseDocument } from '@laurel/configuration';
import { LeaderboardsArea } from '@laurel/leaderboards';

const ACCOUNT = 'default';
const BATCH = 250;
const UNITS = 1_000_000;

const [file, config] = process.argv.slice(2);
const { document, problems } = parseDocument(readFileSync(config, 'utf8'), config);
if (problems) throw new Error(JSON.stringify(problems));
const configuration = compileHistory(ACCOUNT, [{ version: 1, document, publishedAt: 0 }]).at(1);
const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
const records = lines.map((line, index) => recordOf(JSON.parse(line), index + 1));

function recordOf({ metric, user: { id, ...user }, value, timestamp }, position) {
  const occurredAt = Date.parse(timestamp);
  const fact = { type: 'MetricEventRecorded', userId: id, metric, value: BigInt(Math.round(value * UNITS)), user };
  const eventId = `00000000-0000-7000-8000-${String(position).padStart(12, '0')}`;
  return { position, eventId, account: ACCOUNT, configurationVersion: 1, occurredAt, recordedAt: occurredAt, fact };
}

async function apply() {
  const boards = new LeaderboardsArea({ query: () => Promise.resolve([]) }, { capacity: 2 ** 40 });
  const states = new Map();
  const seen = { awards: 0, awarded: 0n, ranks: 0, places: 0, completed: 0 };
  let layer = boards.openLayer(null);
  for (const [index, record] of records.entries()) {
    if (index % BATCH === 0) {
      layer.publish();
      layer = boards.openLayer(null);
    }
    const { userId } = record.fact;
    const document = states.get(userId) ?? USER_AREAS.map((area) => area.initial());
    let message = { record };
    for (const [place, area] of USER_AREAS.entries()) {
      const made = area.project(document[place], message, configuration);
      document[place] = made.state;
      message = { ...message, [area.name]: made.section };
    }
    states.set(userId, document);
    const missing = layer.missing(message, configuration);
    if (missing.length > 0) await boards.load(missing);
    const { rows } = layer.project(message, configuration);
    for (const { awarded } of message.points.awards) {
      seen.awards++;
      seen.awarded += awarded;
    }
    seen.completed += message.achievements.completed.length;
    for (const { rank } of rows.get('board_rank_changes') ?? []) {
      seen.ranks++;
      seen.places += rank ?? 0;
    }
  }
  return { ...seen, awarded: String(seen.awarded) };
}

await apply();
const before = process.cpuUsage();
const seen = await apply();
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ microseconds: (user + system) / records.length, seen }));
