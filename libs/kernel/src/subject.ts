/** Stands for a user in the log and in all read models: a random integer, 0 < subject < 2^52. Only the directory knows which user it is. */
export type Subject = number;

/** Reads of a user without a subject use it. It is never assigned, so nothing is stored under it. */
export const NOBODY: Subject = 0;

export interface UserRef {
  readonly account: string;
  readonly subject: Subject;
}

/** The key of a user in maps. An account never contains NUL. */
export const userKey = ({ account, subject }: UserRef): string => `${account}\0${subject}`;
