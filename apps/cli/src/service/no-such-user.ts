import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { RefusedError } from './service-error.ts';

/** For `catch` of a request about a user. @throws CommandError with exit code 2 if there is no such user, otherwise what it is given */
export const noSuchUser =
  (id: string) =>
  (error: unknown): never => {
    const isUnknown = error instanceof RefusedError && error.code === 'unknown_user';
    throw isUnknown ? new CommandError(2, `there is no user ${plainText(id)}`) : error;
  };
