import type { Clock } from '@laurel/ports';
import { lastingFailure } from './lasting-failure.ts';
import type { Logger } from './logging.ts';

/** The events of the index by which users are searched. */
export interface UserSearchLog {
  readonly onProgress: (users: number, isBuilt: boolean) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Writes the progress and the failures of the index of users to the log. */
export const logUserSearch = (logger: Logger, clock: Clock): UserSearchLog => ({
  onProgress: (users, isBuilt) =>
    logger.info({ users }, isBuilt ? 'the index of users is built' : 'building the index of users'),
  onFailure: lastingFailure(logger, clock, 'could not keep the index of users; retrying'),
});
