/** Stands for a user in the log and in all that is made of it: a random integer, 0 < subject < 2^52. Only the directory knows whom. */
export type Subject = number;

/** Where a read needs a subject and the directory has none: it is never assigned, so nothing is stored of it. */
export const NOBODY: Subject = 0;

export interface UserRef {
  readonly account: string;
  readonly subject: Subject;
}

/** A user as a key of maps. An account holds no NUL. */
export const userKey = ({ account, subject }: UserRef): string => `${account}\0${subject}`;
