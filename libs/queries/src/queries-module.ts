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

/** The doors through which state is read. */
@Module({})
export class QueriesModule {
  static register(ports: QueryPorts): DynamicModule {
    return {
      module: QueriesModule,
      controllers: [
        UsersController,
        PointsController,
        AchievementsController,
        StreaksController,
        LeaderboardsController,
        ExplainController,
        TimelineController,
        CountsController,
      ],
      providers: [{ provide: QUERY_PORTS, useValue: ports }],
    };
  }
}
