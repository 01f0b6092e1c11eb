export type { ChainBoards } from './chain/chain-program.ts';
export { contributionsTo, fanOut, toCallers } from './chain/chain-routes.ts';
export { keepInstanceLock } from './chain/keep-instance-lock.ts';
export { keepUserSearch } from './chain/keep-user-search.ts';
export { logServiceEvents } from './chain/observe-service.ts';
export { runChainService } from './chain/run-chain-service.ts';
export { userStepDefinition } from './chain/service-definition.ts';
export { startUserStep } from './chain/start-user-step.ts';
export { userStep } from './chain/user-step.ts';
export { rebuildService } from './rebuild/rebuild-service.ts';
export type { ReplayableStep } from './rebuild/replayed-step.ts';
export { readFromBeginning } from './rebuild/take-over.ts';
export { moveSteps } from './steps/move-steps.ts';
export {
  askBroker,
  type DeletedMessages,
  type ProgressDependencies,
  type ServiceProgress,
  stepProgress,
} from './steps/step-progress.ts';
