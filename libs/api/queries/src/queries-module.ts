import { type DynamicModule, Module } from '@nestjs/common';
import { AchievementsController } from './achievements-controller.ts';
import { CountsController } from './counts-controller.ts';
import { ExplainController } from './explain-controller.ts';
import { LeaderboardsController } from './leaderboards-controller.ts';
import { BoostsController } from './boosts-controller.ts';
import { PointsController } from './points-controller.ts';
import { BOUNDED_QUERY_PORTS, QUERY_PORTS, type QueryPorts } from './ports.ts';
import { StreaksController } from './streaks-controller.ts';
import { TimelineController } from './timeline-controller.ts';
import { UsersController } from './users-controller.ts';

/** The reads below `/admin`: explanations, a user's events, and counts over all users. */
@Module({})
class AdministrativeQueriesModule {
  static register(ports: QueryPorts): DynamicModule {
    return {
      module: AdministrativeQueriesModule,
      controllers: [ExplainController, TimelineController, CountsController],
      providers: [
        { provide: QUERY_PORTS, useValue: ports },
        { provide: BOUNDED_QUERY_PORTS, useValue: ports },
      ],
    };
  }
}

/** The HTTP module of reads. */
@Module({})
export class QueriesModule {
  /** @param bounded replaces ports for sessions and below `/admin`, so that applications need not compete with them */
  static register(ports: QueryPorts, bounded: Partial<QueryPorts> = {}): DynamicModule {
    const boundedPorts = { ...ports, ...bounded };
    return {
      module: QueriesModule,
      imports: [AdministrativeQueriesModule.register(boundedPorts)],
      controllers: [
        UsersController,
        PointsController,
        BoostsController,
        AchievementsController,
        StreaksController,
        LeaderboardsController,
      ],
      providers: [
        { provide: QUERY_PORTS, useValue: ports },
        { provide: BOUNDED_QUERY_PORTS, useValue: boundedPorts },
      ],
    };
  }
}
