// The rules alone: CPU per event of the areas' rules, beside the projections that they replace.
//
//   node bench/rules.mjs --history FILE --config FILE [--events 60000] [--rounds 3]
//
// FILE holds events as lines of JSON in the form of an import, in order of time; .gz is unpacked. Both ways are applied in rounds, in turns,
// from nothing, and must give the same awards, rank changes and totals.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { exactOf, roundedAmount } from '@laurel/amounts';
import { USER_AREAS, applyToUser, draftOf, newUser, planOf } from '@laurel/areas';
import { compileHistory, parseDocument } from '@laurel/configuration';
import { EffectList } from '@laurel/contracts';
import { LeaderboardsArea } from '@laurel/leaderboards';
import { machine, median } from './service.mjs';

const { values } = parseArgs({
  options: {
    history: { type: 'string' },
    config: { type: 'string' },
    events: { type: 'string', default: '60000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
  },
});
const ACCOUNT = 'default';
const BATCH = 250;

const bytes = readFileSync(values.history);
const lines = (values.history.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').split('\n');
const { document, problems } = parseDocument(readFileSync(values.config, 'utf8'), values.config);
if (problems) throw new Error(JSON.stringify(problems));
const configuration = compileHistory(ACCOUNT, [{ version: 1, document, publishedAt: 0 }]).at(1);
const records = lines
  .filter((line) => line !== '')
  .slice(0, Number(values.events))
  .map((line, index) => recordOf(JSON.parse(line), index + 1));

function recordOf({ metric, user: { id, ...user }, value, timestamp }, position) {
  const occurredAt = Date.parse(timestamp);
  const fact = { type: 'MetricEventRecorded', userId: id, metric, value: roundedAmount(value), user };
  const eventId = `00000000-0000-7000-8000-${String(position).padStart(12, '0')}`;
  return { position, eventId, account: ACCOUNT, configurationVersion: 1, occurredAt, recordedAt: occurredAt, fact };
}

const emptyBoards = () => new LeaderboardsArea({ query: () => Promise.resolve([]) }, { capacityBytes: 2 ** 40 });

async function projected() {
  const boards = emptyBoards();
  const states = new Map();
  const seen = { awards: 0, awarded: 0n, ranks: 0, places: 0, periods: 0, completed: 0 };
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
      seen.periods += made.rows.get('streak_periods')?.length ?? 0;
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
  return seen;
}

async function applied() {
  const boards = emptyBoards();
  const plan = planOf(configuration);
  const states = new Map();
  let drafts = new Map();
  const seen = { awards: 0, awarded: 0n, ranks: 0, places: 0, periods: 0, completed: 0 };
  const sink = new EffectList();
  let layer = boards.openLayer(null);
  for (let index = 0; index < records.length; index++) {
    if (index % BATCH === 0) {
      layer.publish();
      layer = boards.openLayer(null);
      for (const [id, draft] of drafts) states.set(id, draft);
      drafts = new Map();
    }
    const { position, eventId, occurredAt, fact } = records[index];
    const { userId } = fact;
    let draft = drafts.get(userId);
    if (draft === undefined) {
      const known = states.get(userId);
      draft = known === undefined ? newUser(plan) : draftOf(known);
      drafts.set(userId, draft);
    }
    const metric = plan.users.metricByKey.get(fact.metric);
    const cause = { type: 'MetricReported', metric, value: exactOf(fact.value), fields: fact.user };
    const user = { createdAt: 0, zone: '', previousZone: '', day: 0, total: null };
    const occasion = { account: ACCOUNT, userId, position, eventId, occurredAt, cause, user };
    sink.clear();
    applyToUser(draft, occasion, plan, sink);
    let missing = layer.apply(occasion, plan.leaderboards, sink);
    if (missing.length > 0) {
      await boards.load(missing);
      missing = layer.apply(occasion, plan.leaderboards, sink);
    }
    for (const effect of sink.effects) {
      if (effect.type === 'PointsAwarded') {
        seen.awards++;
        seen.awarded += BigInt(effect.awarded);
      } else if (effect.type === 'AchievementCompleted') seen.completed++;
      else if (effect.type === 'RankChanged') {
        seen.ranks++;
        seen.places += effect.rank ?? 0;
      } else if (effect.type === 'StreakStarted' || effect.type === 'StreakExtended') seen.periods++;
      else if (effect.type === 'PeriodSkipped' || effect.type === 'FreezeUsed') seen.periods++;
    }
  }
  return seen;
}

async function measured(work) {
  globalThis.gc?.();
  const before = process.cpuUsage();
  const seen = await work();
  const { user, system } = process.cpuUsage(before);
  return {
    microseconds: (user + system) / records.length,
    seen: JSON.stringify(seen, (_, v) => (typeof v === 'bigint' ? String(v) : v)),
  };
}

const rounds = [];
for (let round = 0; round < Number(values.rounds); round++) {
  const now = await measured(applied);
  if (values.only) {
    console.log(now);
    continue;
  }
  const before = await measured(projected);
  if (now.seen !== before.seen) throw new Error(`not the same:\n${before.seen}\n${now.seen}`);
  rounds.push({ before: before.microseconds, now: now.microseconds });
  console.log(
    `round ${round + 1}: projections ${before.microseconds.toFixed(1)}, rules ${now.microseconds.toFixed(1)} µs per event`,
  );
}
console.log(machine());
if (rounds.length > 0) {
  const ratios = rounds.map(({ before, now }) => before / now);
  console.log(
    `median of ${rounds.length}: ${median(rounds.map(({ now }) => now)).toFixed(1)} µs per event, ${median(ratios).toFixed(1)} times less`,
  );
}
