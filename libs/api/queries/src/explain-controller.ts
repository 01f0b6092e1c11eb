import { Controller, Inject, Param, Query } from '@nestjs/common';
import { localDate } from '@laurel/calendar';
import type { BoardRun } from '@laurel/kernel';
import type { AwardPlace, ChangePlace } from '@laurel/ports';
import {
  invalidRequest,
  MOST_ZONE_CHANGES,
  ProblemError,
  problemOf,
  unknownThing,
  knownUser,
  type ExplainedAchievementAnswer,
  type ExplainedEventAnswer,
  type ExplainedPointsAnswer,
  type ExplainedPointsOfEventAnswer,
  type ExplainedStandingAnswer,
  type ExplainedStreakAnswer,
  operations,
} from '@laurel/schemas';
import { Account, Route } from '@laurel/runtime';
import {
  explainedEventAnswer,
  explainedPointsAnswer,
  explainedPointsOfEventAnswer,
  explainedStreakAnswer,
} from './answers/explain-answer.ts';
import { explainedAchievementAnswer } from './answers/explained-achievement-answer.ts';
import { explainedStandingAnswer } from './answers/explained-standing-answer.ts';
import { runAsked } from './asked-run.ts';
import { knownBoard, knownSystem, QUERY_PORTS, type QueryPorts } from './ports.ts';
import { uncounted } from './uncounted.ts';
import { checkQuery, QueryParameters, type Query as QueryRecord } from './query-parameters.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Why a number is what it is (specification, section 9.17). */
@Controller()
export class ExplainController {
  readonly #ports: QueryPorts;

  constructor(@Inject(QUERY_PORTS) ports: QueryPorts) {
    this.#ports = ports;
  }

  @Route(operations.explainPoints)
  async points(
    @Account() account: string,
    @Param('id') id: string,
    @Param('key') key: string,
    @Query() query: QueryRecord,
  ): Promise<ExplainedPointsAnswer> {
    const { subject } = await knownUser(this.#ports, account, id);
    knownSystem(this.#ports, account, key);
    const explain = await this.#ports.explain();
    const parameters = new QueryParameters(query);
    const limit = parameters.integer('limit', { min: 1, max: 50, fallback: 20 });
    const cursor = parameters.text('cursor');
    const before = cursor === null ? null : placeIn(cursor);
    if (before === undefined) parameters.refuse('cursor', 'must be `next` of a page of this route');
    parameters.check();
    const page = { before: before ?? null, limit };
    const explained = await explain.points({ account, subject }, key, this.#ports.clock.now(), page);
    if (explained === null) throw new ProblemError(invalidRequest([STALE]));
    const next = explained.next === null ? null : cursorOf(explained.next);
    return explainedPointsAnswer(key, explained, next, this.#ports.configuration(account));
  }

  @Route(operations.explainPointsOfEvent)
  async pointsOfEvent(
    @Account() account: string,
    @Param('id') id: string,
    @Param('key') key: string,
    @Param('eventId') eventId: string,
    @Query() query: QueryRecord,
  ): Promise<ExplainedPointsOfEventAnswer> {
    const { subject } = await knownUser(this.#ports, account, id);
    knownSystem(this.#ports, account, key);
    checkQuery(query);
    const explain = await this.#ports.explain();
    const at = this.#ports.clock.now();
    const user = { account, subject };
    const explained = UUID.test(eventId) ? await explain.pointsOfEvent(user, key, at, eventId) : null;
    if (explained === null) throw new ProblemError(problemOf('unknown_event', 'The user has no event with this id.'));
    return explainedPointsOfEventAnswer(key, explained, this.#ports.configuration(account));
  }

  @Route(operations.explainAchievement)
  async achievement(
    @Account() account: string,
    @Param('id') id: string,
    @Param('key') key: string,
    @Query() query: QueryRecord,
  ): Promise<ExplainedAchievementAnswer> {
    const { subject } = await knownUser(this.#ports, account, id);
    const { achievementByKey } = this.#ports.configuration(account).current;
    const definition = achievementByKey.get(key);
    if (definition === undefined)
      throw new ProblemError(unknownThing('unknown_achievement', key, achievementByKey.keys()));
    checkQuery(query);
    const explain = await this.#ports.explain();
    const explained = await explain.achievement(account, subject, key, this.#ports.clock.now());
    return explainedAchievementAnswer(definition, explained);
  }

  @Route(operations.explainStreak)
  async streak(
    @Account() account: string,
    @Param('id') id: string,
    @Query() query: QueryRecord,
  ): Promise<ExplainedStreakAnswer> {
    const { subject } = await knownUser(this.#ports, account, id);
    const explain = await this.#ports.explain();
    const parameters = new QueryParameters(query);
    const date = parameters.date('date');
    const periods = parameters.integer('periods', { min: 1, max: 100, fallback: 14 });
    parameters.check();
    const at = this.#ports.clock.now();
    const [{ length }, explained, zoneChanges] = await Promise.all([
      this.#ports.streaks.view(account, subject, at),
      explain.streak(account, subject, at, { date, periods }),
      explain.zoneChanges(subject, MOST_ZONE_CHANGES),
    ]);
    return explainedStreakAnswer(length, explained, zoneChanges);
  }

  @Route(operations.explainStanding)
  async standing(
    @Account() account: string,
    @Param('id') id: string,
    @Param('key') key: string,
    @Query() query: QueryRecord,
  ): Promise<ExplainedStandingAnswer> {
    const user = await knownUser(this.#ports, account, id);
    const { subject, profile } = user;
    const board = knownBoard(this.#ports, account, key);
    const explain = await this.#ports.explain();
    const parameters = new QueryParameters(query);
    const limit = parameters.integer('limit', { min: 1, max: 50, fallback: 20 });
    const at = this.#ports.clock.now();
    const run = runAsked(this.#ports, account, board, parameters, at, localDate(at, profile.tz ?? 'UTC'));
    const before = changePlaceIn(parameters, typeof run === 'string' ? null : run);
    parameters.check();
    const history = this.#ports.configuration(account);
    if (run === 'outside_dates' || run === null)
      return explainedStandingAnswer(board, { ...NO_RUN, status: run ?? 'not_begun' }, null, new Map(), history);
    const { leaderboards, directory } = this.#ports;
    const [standing, { entries, next }, last] = await Promise.all([
      leaderboards.standing(account, key, run, subject),
      explain.changes({ account, subject }, key, run, { before, limit }),
      leaderboards.rankings(account, key, run, { offset: board.maxParticipants - 1, limit: 1 }),
    ]);
    const { rank } = standing;
    const why = standing.value === null ? await uncounted(explain, history, user, board, run) : null;
    const near =
      rank === null ? [] : await leaderboards.rankings(account, key, run, { offset: Math.max(0, rank - 2), limit: 3 });
    const places = [...near, ...last];
    const ids = await directory.idsOf(
      account,
      places.map((place) => place.subject),
    );
    return explainedStandingAnswer(
      board,
      { run, status: null, uncounted: why, ...standing, changes: entries, places },
      next === null ? null : changeCursorOf(run, next),
      ids,
      history,
    );
  }

  @Route(operations.getEvent)
  async event(
    @Account() account: string,
    @Param('eventId') eventId: string,
    @Query() query: QueryRecord,
  ): Promise<ExplainedEventAnswer> {
    const parameters = new QueryParameters(query);
    const limit = parameters.integer('limit', { min: 1, max: 10, fallback: 10 });
    const from = userPlaceIn(parameters);
    parameters.check();
    const explain = await this.#ports.explain();
    const explained = UUID.test(eventId) ? await explain.event(account, eventId, { from, limit }) : null;
    if (explained === null) throw new ProblemError(problemOf('unknown_event', 'There is no event with this id.'));
    const { fact } = explained.record;
    const subjects = new Set(explained.caused.map(({ subject }) => subject));
    if ('subject' in fact) subjects.add(fact.subject);
    const next = explained.next === null ? null : userCursorOf(explained.next);
    const ids = await this.#ports.directory.idsOf(account, [...subjects]);
    return explainedEventAnswer(explained, next, ids, this.#ports.configuration(account));
  }
}

const NO_RUN = { run: null, uncounted: null, rank: null, value: null, changes: [], places: [] };

const STALE = {
  path: 'cursor',
  message: 'is of a page that cannot be gone on with now: begin with the first page again',
};

const cursorOf = ({ folded, position, index }: AwardPlace): string =>
  Buffer.from(`points:${folded ? 'f' : 's'}:${position}:${index}`).toString('base64url');

function placeIn(cursor: string): AwardPlace | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, kind, position, index] = /^points:([fs]):(\d{1,16}):(\d{1,9})$/.exec(text) ?? [];
  return kind === undefined ? undefined : { folded: kind === 'f', position: Number(position), index: Number(index) };
}

const changeCursorOf = ({ start }: BoardRun, { position, ordinal }: ChangePlace): string =>
  Buffer.from(`board:${start}:${position}:${ordinal}`).toString('base64url');

/** @param run that is shown. A cursor of another one is refused: today may lie in a later run than the page before. */
function changePlaceIn(parameters: QueryParameters, run: BoardRun | null): ChangePlace | null {
  const cursor = parameters.text('cursor');
  if (cursor === null) return null;
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, start, position, ordinal] = /^board:(\d{4}-\d\d-\d\d):(\d{1,16}):(\d{1,9})$/.exec(text) ?? [];
  if (start === undefined || start !== run?.start)
    parameters.refuse('cursor', 'must be `next` of a page of this route, of the same run');
  return { position: Number(position), ordinal: Number(ordinal) };
}

const userCursorOf = (place: number): string => Buffer.from(`users:${place}`).toString('base64url');

function userPlaceIn(parameters: QueryParameters): number {
  const cursor = parameters.text('cursor');
  if (cursor === null) return 0;
  const [, place] = /^users:(\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  if (place === undefined) parameters.refuse('cursor', 'must be `next` of a page of this route');
  return Number(place);
}
