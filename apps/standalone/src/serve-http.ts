import type { Clock } from '@laurel/contracts';
import { IngestionModule } from '@laurel/ingestion';
import { QueriesModule, composeCompletionAnswer, composeEventAnswer, userAnswer } from '@laurel/queries';
import { createHttpApplication, type ApiKeys, type Health, type HttpApplication, type Logger } from '@laurel/runtime';
import type { Service } from './start-service.ts';

/** The doors of a standalone process. */
export function serveHttp(
  service: Service,
  keys: ApiKeys,
  health: Health,
  logger: Logger,
  clock: Clock,
): Promise<HttpApplication> {
  const { engine, users, streaks, achievements, points, leaderboards } = service;
  const configuration = (account: string) => engine.historyOf(account);
  const modules = [
    IngestionModule.register({
      intake: engine,
      clock,
      configuration,
      users,
      achievements,
      composeEventAnswer,
      composeUserAnswer: userAnswer,
      composeCompletionAnswer,
    }),
    QueriesModule.register({ users, streaks, achievements, points, leaderboards, clock, configuration }),
  ];
  return createHttpApplication({ modules, keys, health, logger });
}
