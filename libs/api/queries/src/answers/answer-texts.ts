import { formatInstant } from '@laurel/calendar';
import {
  type BoardOutcome,
  type Configuration,
  type LeaderboardDefinition,
  type LeaderboardsAnswer,
  perConfiguration,
  type PointsAward,
  type PointsAnswer,
  type PointsSystemDefinition,
  type PointsSystemOutcome,
  type StreaksAnswer,
} from '@laurel/kernel';
import {
  jsonAmount,
  jsonInteger,
  type JsonNumber,
  writeJson,
  awardAnswer,
  storedAwardAnswer,
  levelNamed,
  systemAnswer,
} from '@laurel/schemas';
import { type JsonTemplate, jsonTemplate } from './json-template.ts';
import { leaderboardEntry } from './leaderboard-answer.ts';
import { currentStreak } from './streak-answer.ts';

interface AnswerTexts {
  readonly streak: (section: StreaksAnswer) => string;
  readonly points: (section: PointsAnswer) => string;
  readonly leaderboards: (section: LeaderboardsAnswer) => string;
}

/** Writes the parts of an answer under one version: what does not depend on the event is written once. */
export const textsOf = perConfiguration((configuration): AnswerTexts => {
  const systems = [...configuration.pointsSystemByKey].map(([key, system]) => [key, systemText(system)] as const);
  const boards = [...configuration.leaderboardByKey].map(([key, board]) => [key, boardText(board)] as const);
  const [writeSystems, writeBoards] = [membersText(systems), membersText(boards)];
  return {
    streak: streakText(configuration),
    points: (section) => writeSystems(section.systems, section),
    leaderboards: (section) => writeBoards(section.boards, section),
  };
});

/** Writes an object with a member for each known key, in the order of `JSON.stringify`. */
function membersText<Outcome extends { readonly key: string }, AnswerPart>(
  writers: readonly (readonly [key: string, write: (outcome: Outcome, section: AnswerPart) => string])[],
): (outcomes: readonly Outcome[], section: AnswerPart) => string {
  const known = new Map(writers.map(([key, write]) => [key, { start: `${jsonText(key)}:`, write }]));
  const keepsOrder = !writers.some(([key]) => isArrayIndex(key));
  return (outcomes, section) => {
    let members = '';
    for (const outcome of keepsOrder ? outcomes : indexesFirst(outcomes)) {
      const member = known.get(outcome.key);
      if (member) members += (members === '' ? '' : ',') + member.start + member.write(outcome, section);
    }
    return `{${members}}`;
  };
}

const isArrayIndex = (key: string): boolean => String(Number(key) >>> 0) === key;

/** Members of an object whose keys are array indexes come first, by size. */
const indexesFirst = <Outcome extends { readonly key: string }>(outcomes: readonly Outcome[]): readonly Outcome[] =>
  Object.values(Object.fromEntries(outcomes.map((outcome) => [outcome.key, outcome])));

function streakText({ streak }: Configuration): (section: StreaksAnswer) => string {
  const names = [
    'length',
    'frequency',
    'started',
    'periodStart',
    'periodEnd',
    'expires',
    'extended',
    'freezes',
  ] as const;
  const write = jsonTemplate(names, ({ extended, ...view }) =>
    currentStreak({ extended, streak: { ...view, extendedAt: null }, changes: [] }, streak?.freezes ?? null),
  );
  return ({ extended, streak: { length, frequency, started, periodStart, periodEnd, expires, freezes = 0 } }) =>
    write(
      numberText(length),
      plainText(frequency),
      plainText(started),
      plainText(periodStart),
      plainText(periodEnd),
      plainText(expires),
      String(extended),
      numberText(freezes),
    );
}

function boardText(board: LeaderboardDefinition): (outcome: BoardOutcome) => string {
  const names = ['start', 'end', 'threshold', 'previousRank', 'rank'] as const;
  const write = jsonTemplate(names, (gaps) => leaderboardEntry(board, gaps));
  return ({ runStart, runEnd, threshold, previousRank, rank }) =>
    write(
      plainText(runStart),
      plainText(runEnd),
      numberText(jsonAmount(threshold)),
      String(previousRank),
      String(rank),
    );
}

function systemText(system: PointsSystemDefinition): (outcome: PointsSystemOutcome, section: PointsAnswer) => string {
  const names = ['total', 'added', 'level', 'awards'] as const;
  const write = jsonTemplate(names, ({ level: _, ...gaps }) => systemAnswer(system, gaps));
  const writeLevel = jsonTemplate(names, (gaps) => systemAnswer(system, gaps));
  const awardTexts = new Map(system.triggers.map((trigger) => [trigger.id, awardText(trigger)]));
  const awardOfNone = awardText(null);
  return ({ total, added, level }, { awards }) => {
    const own = awards.filter((award) => award.system === system.key && !award.due);
    const written = own.map((award) => (awardTexts.get(award.triggerId) ?? awardOfNone)(award)).join(',');
    const numbers = [numberText(jsonInteger(total)), numberText(jsonInteger(added))] as const;
    return level === undefined
      ? write(...numbers, '', `[${written}]`)
      : writeLevel(...numbers, writeJson(levelNamed(system, level)), `[${written}]`);
  };
}

function awardText(trigger: PointsSystemDefinition['triggers'][number] | null): (award: PointsAward) => string {
  const names = ['id', 'awarded', 'date', 'total'] as const;
  const write: JsonTemplate = jsonTemplate(names, (gaps) => awardAnswer(gaps, trigger));
  return ({ id, awarded, at, total, boosts, triggerId }) =>
    boosts !== undefined
      ? writeJson(storedAwardAnswer({ triggerId, awarded, at, total, boosts }, id ?? '', trigger))
      : write(
          jsonText(id ?? ''),
          numberText(jsonInteger(awarded)),
          plainText(formatInstant(at)),
          numberText(jsonInteger(total)),
        );
}

export const jsonText = (value: string | readonly string[]): string => JSON.stringify(value);
/** For a date, an instant or one of our own names, in which nothing needs escaping. */
const plainText = (text: string | null): string => (text === null ? 'null' : `"${text}"`);
export const numberText = (value: JsonNumber): string => (typeof value === 'number' ? String(value) : value.digits);
