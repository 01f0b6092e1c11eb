import { Controller } from '@nestjs/common';
import { localDate } from '@laurel/calendar';
import {
  isUuid,
  MOST_ZONE_CHANGES,
  ProblemError,
  problemOf,
  knownUser,
  type ExplainedAchievementAnswer,
  type ExplainedEventAnswer,
  type ExplainedPointsAnswer,
  type ExplainedPointsOfEventAnswer,
  type ExplainedStandingAnswer,
  type ExplainedStreakAnswer,
  operations,
} from '@laurel/schemas';
import { invalidField, Route } from '@laurel/runtime';
import {
  explainedEventAnswer,
  explainedPointsAnswer,
  explainedPointsOfEventAnswer,
  explainedStreakAnswer,
} from './answers/explain-answer.ts';
import { explainedAchievementAnswer } from './answers/explained-achievement-answer.ts';
import { explainedStandingAnswer, type Standing } from './answers/explained-standing-answer.ts';
import { runAsked } from './asked-run.ts';
import { AWARD_CURSOR, changeCursor, EVENT_USER_CURSOR } from './cursors.ts';
import { standingIn } from './explained-standing.ts';
import { knownAchievement, knownBoard, knownSystem } from './ports.ts';
import { checkQuery, QueryParameters } from './query-parameters.ts';
import { Read, type ReadCall } from './read-call.ts';

/** Explains numbers (specification, section 9.17). */
@Controller()
export class ExplainController {
  @Route(operations.explainPoints)
  async points(
    @Read() { ports, account, path: { id, key }, query }: ReadCall<'id' | 'key'>,
  ): Promise<ExplainedPointsAnswer> {
    const { subject } = await knownUser(ports, account, id);
    const system = knownSystem(ports, account, key);
    const explain = await ports.explain();
    const parameters = new QueryParameters(query);
    const limit = parameters.integer('limit', { min: 1, max: 50, fallback: 20 });
    const before = parameters.cursor(AWARD_CURSOR);
    parameters.check();
    const explained = await explain.points({ account, subject }, key, ports.clock.now(), { before, limit });
    if (explained === null)
      throw invalidField('cursor', 'is of a page that cannot be gone on with now: begin with the first page again');
    const next = explained.next === null ? null : AWARD_CURSOR.write(explained.next);
    return explainedPointsAnswer(system, explained, next, ports.configuration(account));
  }

  @Route(operations.explainPointsOfEvent)
  async pointsOfEvent(
    @Read() { ports, account, path, query }: ReadCall<'id' | 'key' | 'eventId'>,
  ): Promise<ExplainedPointsOfEventAnswer> {
    const { id, key, eventId } = path;
    const { subject } = await knownUser(ports, account, id);
    knownSystem(ports, account, key);
    checkQuery(query);
    const explain = await ports.explain();
    const at = ports.clock.now();
    const explained = isUuid(eventId) ? await explain.pointsOfEvent({ account, subject }, key, at, eventId) : null;
    if (explained === null) throw new ProblemError(problemOf('unknown_event', 'The user has no event with this id.'));
    return explainedPointsOfEventAnswer(key, explained, ports.configuration(account));
  }

  @Route(operations.explainAchievement)
  async achievement(
    @Read() { ports, account, path: { id, key }, query }: ReadCall<'id' | 'key'>,
  ): Promise<ExplainedAchievementAnswer> {
    const { subject } = await knownUser(ports, account, id);
    const definition = knownAchievement(ports, account, key);
    checkQuery(query);
    const explain = await ports.explain();
    const explained = await explain.achievement(account, subject, key, ports.clock.now());
    return explainedAchievementAnswer(definition, explained);
  }

  @Route(operations.explainStreak)
  async streak(@Read() { ports, account, path, query }: ReadCall<'id'>): Promise<ExplainedStreakAnswer> {
    const { subject } = await knownUser(ports, account, path.id);
    const explain = await ports.explain();
    const parameters = new QueryParameters(query);
    const date = parameters.date('date');
    const periods = parameters.integer('periods', { min: 1, max: 100, fallback: 14 });
    parameters.check();
    const at = ports.clock.now();
    const [{ length }, explained, zoneChanges] = await Promise.all([
      ports.streaks.view(account, subject, at),
      explain.streak(account, subject, at, { date, periods }),
      explain.zoneChanges(subject, MOST_ZONE_CHANGES),
    ]);
    return explainedStreakAnswer(length, explained, zoneChanges);
  }

  @Route(operations.explainStanding)
  async standing(@Read() { ports, account, path, query }: ReadCall<'id' | 'key'>): Promise<ExplainedStandingAnswer> {
    const user = await knownUser(ports, account, path.id);
    const board = knownBoard(ports, account, path.key);
    const explain = await ports.explain();
    const parameters = new QueryParameters(query);
    const limit = parameters.integer('limit', { min: 1, max: 50, fallback: 20 });
    const at = ports.clock.now();
    const today = localDate(at, user.profile.tz ?? 'UTC');
    const run = runAsked({ ports, account, board, at, today }, parameters);
    const format = changeCursor(typeof run === 'string' ? null : run);
    const before = parameters.cursor(format, '`next` of a page of this route, of the same run');
    parameters.check();
    const history = ports.configuration(account);
    const standing =
      run === 'outside_dates' || run === null
        ? { ...NO_RUN, status: run ?? ('not_begun' as const) }
        : await standingIn(ports, explain, history, { user, board, run, page: { before, limit } });
    return explainedStandingAnswer(board, standing, history);
  }

  @Route(operations.getEvent)
  async event(
    @Read() { ports, account, path: { eventId }, query }: ReadCall<'eventId'>,
  ): Promise<ExplainedEventAnswer> {
    const parameters = new QueryParameters(query);
    const limit = parameters.integer('limit', { min: 1, max: 10, fallback: 10 });
    const from = parameters.cursor(EVENT_USER_CURSOR) ?? 0;
    parameters.check();
    const explain = await ports.explain();
    const explained = isUuid(eventId) ? await explain.event(account, eventId, { from, limit }) : null;
    if (explained === null) throw new ProblemError(problemOf('unknown_event', 'There is no event with this id.'));
    const { fact } = explained.record;
    const subjects = new Set(explained.caused.map(({ subject }) => subject));
    if ('subject' in fact) subjects.add(fact.subject);
    const next = explained.next === null ? null : EVENT_USER_CURSOR.write(explained.next);
    const ids = await ports.directory.idsOf(account, [...subjects]);
    return explainedEventAnswer(explained, next, ids, ports.configuration(account));
  }
}

const NO_RUN: Omit<Standing, 'status'> = {
  run: null,
  uncounted: null,
  rank: null,
  value: null,
  changes: [],
  places: [],
  ids: new Map(),
  next: null,
};
