import { Controller, Param, Query } from '@nestjs/common';
import {
  invalidRequest,
  ProblemError,
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
import { Account, Route } from '@laurel/runtime';
import {
  levelUsersAnswer,
  pointsBucketAnswer,
  pointsRangeAnswer,
  pointsSystemAnswer,
  userPoints,
} from './answers/points-answer.ts';
import { knownSystem, type QueryPorts } from './ports.ts';
import { Ports } from './ports-of-caller.ts';
import { checkQuery, QueryParameters, type Query as QueryRecord } from './query-parameters.ts';
import { summaryParameters } from './summary-parameters.ts';

@Controller()
export class PointsController {
  @Route(operations.getUserPoints)
  async userPoints(
    @Ports() ports: QueryPorts,
    @Account() account: string,
    @Param('id') id: string,
    @Param('key') key: string,
    @Query() query: QueryRecord,
  ): Promise<UserPoints> {
    const { subject } = await knownUser(ports, account, id);
    const system = knownSystem(ports, account, key);
    const parameters = new QueryParameters(query);
    const limit = parameters.integer('awards', { min: 1, max: 100, fallback: 10 });
    parameters.check();
    const { points, clock, configuration } = ports;
    const at = clock.now();
    const [total, awards] = await Promise.all([
      points.total(account, subject, key, at),
      points.awards({ account, subject }, key, at, limit),
    ]);
    const history = configuration(account);
    const owner = { account, userId: id, system: key };
    return userPoints(system, total, owner, awards, (triggerId) => history.findTrigger(triggerId));
  }

  @Route(operations.summarizeUserPoints)
  async summary(
    @Ports() ports: QueryPorts,
    @Account() account: string,
    @Param('id') id: string,
    @Param('key') key: string,
    @Query() query: QueryRecord,
  ): Promise<PointsBucketAnswer[]> {
    const { subject } = await knownUser(ports, account, id);
    knownSystem(ports, account, key);
    const asked = summaryParameters(query);
    const buckets = await ports.points.summary({ account, subject }, key, ports.clock.now(), asked);
    return buckets.map(pointsBucketAnswer);
  }

  @Route(operations.listPointsSystems)
  systems(@Ports() ports: QueryPorts, @Account() account: string, @Query() query: QueryRecord): PointsSystemAnswer[] {
    checkQuery(query);
    return ports.configuration(account).current.pointsSystems.map(pointsSystemAnswer);
  }

  @Route(operations.getPointsSystem)
  system(
    @Ports() ports: QueryPorts,
    @Account() account: string,
    @Param('key') key: string,
    @Query() query: QueryRecord,
  ): PointsSystemAnswer {
    const system = knownSystem(ports, account, key);
    checkQuery(query);
    return pointsSystemAnswer(system);
  }

  @Route(operations.listPointsLevels)
  levels(
    @Ports() ports: QueryPorts,
    @Account() account: string,
    @Param('key') key: string,
    @Query() query: QueryRecord,
  ): LevelAnswer[] {
    const { levels } = knownSystem(ports, account, key);
    checkQuery(query);
    return levels.map(levelAnswer);
  }

  @Route(operations.countUsersByLevel)
  async levelSummary(
    @Ports() ports: QueryPorts,
    @Account() account: string,
    @Param('key') key: string,
    @Query() query: QueryRecord,
  ): Promise<LevelUsersAnswer[]> {
    const { levels } = knownSystem(ports, account, key);
    checkQuery(query);
    if (levels.length === 0)
      throw new ProblemError(invalidRequest([{ path: 'key', message: 'must name a points system that has levels' }]));
    return (await ports.points.usersByLevel(account, key)).map(levelUsersAnswer);
  }

  @Route(operations.countUsersByPoints)
  async histogram(
    @Ports() ports: QueryPorts,
    @Account() account: string,
    @Param('key') key: string,
    @Query() query: QueryRecord,
  ): Promise<PointsRangeAnswer[]> {
    knownSystem(ports, account, key);
    checkQuery(query);
    return (await ports.points.usersByRange(account, key)).map(pointsRangeAnswer);
  }
}
