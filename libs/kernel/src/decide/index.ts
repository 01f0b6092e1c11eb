import type { UserCommand } from '../commands.ts';
import type { ImportOpened, UserEvent } from '../events.ts';
import type { Decision } from './decision.ts';
import { completeAchievement } from './complete-achievement.ts';
import { eraseUser } from './erase-user.ts';
import { giveGrant } from './give-grant.ts';
import { identifyUser } from './identify-user.ts';
import { recordMetricEvent } from './record-metric-event.ts';
import { requestPoints } from './request-points.ts';
import type { UserState } from './user-state.ts';

export * from './decision.ts';
export * from './user-state.ts';
export { correctEvents, type CorrectionState } from './correct-events.ts';
export { metricEventRecorded } from './record-metric-event.ts';
export { publishConfiguration } from './publish-configuration.ts';
export { sweepUsers } from './sweep-users.ts';
export { importOptionsOf, openImport, WITHOUT_OPTIONS, type ImportOptions } from './open-import.ts';
export { closeImport, IMPORT_IDLE_MS, idleImportsSince } from './close-import.ts';

/** Decides a command about one user. */
export function decide(command: UserCommand, state: UserState): Decision<UserEvent | ImportOpened> {
  switch (command.type) {
    case 'RecordMetricEvent':
      return recordMetricEvent(command, state);
    case 'IdentifyUser':
      return identifyUser(command, state);
    case 'CompleteAchievement':
      return completeAchievement(command, state);
    case 'GiveGrant':
      return giveGrant(command, state);
    case 'RequestPoints':
      return requestPoints(command, state);
    case 'EraseUser':
      return eraseUser(command, state);
  }
}
