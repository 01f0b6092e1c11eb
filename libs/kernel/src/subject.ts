/** Stands for a user in the log and in all read models: a random integer, 0 < subject < 2^52. Only the directory knows which user it is. */
export type Subject = number;

/** For reads of a user without a subject. It is never assigned, so nothing is stored under it. */
export const NOBODY: Subject = 0;

export interface UserRef {
  readonly account: string;
  readonly subject: Subject;
}

/** A user as a key of maps. An account holds no NUL. */
export const userKey = ({ account, subject }: UserRef): string => `${account}\0${subject}`;
