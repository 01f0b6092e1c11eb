import { Controller } from '@nestjs/common';
import {
  knownUser,
  levelAnswer,
  type LevelAnswer,
  type LevelUsersAnswer,
  type PointsBucketAnswer,
  type PointsRangeAnswer,
  type PointsSystemAnswer,
  type UserPoints,
  operations,
} from '@laurel/schemas';
import { invalidField, Route } from '@laurel/runtime';
import {
  levelUsersAnswer,
  pointsBucketAnswer,
  pointsRangeAnswer,
  pointsSystemAnswer,
  userPoints,
} from './answers/points-answer.ts';
import { knownSystem } from './ports.ts';
import { checkQuery, QueryParameters } from './query-parameters.ts';
import { Read, type ReadCall } from './read-call.ts';
import { summaryParameters } from './summary-parameters.ts';

@Controller()
export class PointsController {
  @Route(operations.getUserPoints)
  async userPoints(@Read() { ports, account, path, query }: ReadCall<'id' | 'key'>): Promise<UserPoints> {
    const { subject } = await knownUser(ports, account, path.id);
    const system = knownSystem(ports, account, path.key);
    const parameters = new QueryParameters(query);
    const limit = parameters.integer('awards', { min: 1, max: 100, fallback: 10 });
    parameters.check();
    const { points, clock, configuration } = ports;
    const at = clock.now();
    const [standing, awards] = await Promise.all([
      points.standing(account, subject, system.key, at),
      points.awards({ account, subject }, system.key, at, limit),
    ]);
    const owner = { account, userId: path.id, system: system.key };
    return userPoints(system, { owner, standing, awards }, configuration(account), at);
  }

  @Route(operations.summarizeUserPoints)
  async summary(
    @Read() { ports, account, path: { id, key }, query }: ReadCall<'id' | 'key'>,
  ): Promise<PointsBucketAnswer[]> {
    const { subject } = await knownUser(ports, account, id);
    knownSystem(ports, account, key);
    const range = summaryParameters(query);
    const buckets = await ports.points.summary({ account, subject }, key, ports.clock.now(), range);
    return buckets.map(pointsBucketAnswer);
  }

  @Route(operations.listPointsSystems)
  systems(@Read() { ports, account, query }: ReadCall): PointsSystemAnswer[] {
    checkQuery(query);
    const at = ports.clock.now();
    return ports.configuration(account).current.pointsSystems.map((system) => pointsSystemAnswer(system, at));
  }

  @Route(operations.getPointsSystem)
  system(@Read() call: ReadCall<'key'>): PointsSystemAnswer {
    return pointsSystemAnswer(systemAsked(call), call.ports.clock.now());
  }

  @Route(operations.listPointsLevels)
  levels(@Read() call: ReadCall<'key'>): LevelAnswer[] {
    return systemAsked(call).levels.map(levelAnswer);
  }

  @Route(operations.countUsersByLevel)
  async levelSummary(@Read() call: ReadCall<'key'>): Promise<LevelUsersAnswer[]> {
    const { key, levels } = systemAsked(call);
    if (levels.length === 0) throw invalidField('key', 'must name a points system that has levels');
    return (await call.ports.points.usersByLevel(call.account, key)).map(levelUsersAnswer);
  }

  @Route(operations.countUsersByPoints)
  async histogram(@Read() call: ReadCall<'key'>): Promise<PointsRangeAnswer[]> {
    const { key } = systemAsked(call);
    return (await call.ports.points.usersByRange(call.account, key)).map(pointsRangeAnswer);
  }
}

/** The system of a read without other parameters. @throws ProblemError 404, 422 */
function systemAsked({ ports, account, path, query }: ReadCall<'key'>) {
  const system = knownSystem(ports, account, path.key);
  checkQuery(query);
  return system;
}
