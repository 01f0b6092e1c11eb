import { type DynamicModule, Module } from '@nestjs/common';
import { AchievementsController } from './achievements-controller.ts';
import { CountsController } from './counts-controller.ts';
import { ExplainController } from './explain-controller.ts';
import { LeaderboardsController } from './leaderboards-controller.ts';
import { PointsController } from './points-controller.ts';
import { QUERY_PORTS, type QueryPorts } from './ports.ts';
import { StreaksController } from './streaks-controller.ts';
import { TimelineController } from './timeline-controller.ts';
import { UsersController } from './users-controller.ts';

/** The reads below `/admin`: why a number is what it is, what was recorded of somebody, and what all users do. */
@Module({})
class AdministrativeQueriesModule {
  static register(ports: QueryPorts): DynamicModule {
    return {
      module: AdministrativeQueriesModule,
      controllers: [ExplainController, TimelineController, CountsController],
      providers: [{ provide: QUERY_PORTS, useValue: ports }],
    };
  }
}

/** The doors through which state is read. */
@Module({})
export class QueriesModule {
  /** @param administrative what the reads below `/admin` use, so that they need not compete with those of applications */
  static register(ports: QueryPorts, administrative: Partial<QueryPorts> = {}): DynamicModule {
    return {
      module: QueriesModule,
      imports: [AdministrativeQueriesModule.register({ ...ports, ...administrative })],
      controllers: [
        UsersController,
        PointsController,
        AchievementsController,
        StreaksController,
        LeaderboardsController,
      ],
      providers: [{ provide: QUERY_PORTS, useValue: ports }],
    };
  }
}
