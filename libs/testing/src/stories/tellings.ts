import type { Instant } from '@laurel/calendar';
import type { AccountStory } from './account-story.ts';
import { endingOf, type Ending } from './ending.ts';
import type { StoryEvent, Life } from './lives.ts';

/** A way of applying a life to an account. Ways differ in when sweeps and reads happen. */
export type Way = (account: AccountStory, life: Life) => Promise<void>;

/** Applies a life without sweeps: the next event of a user settles what has become due. */
export const neverSwept: Way = async (account, { happenings }) => {
  for (const happening of happenings) await account.happens(happening);
};

/** Applies a life with a sweep at each of its `looks`. */
export const sweptNowAndThen: Way = (account, life) => lookingIn(account, life, (at) => account.sweep(at), false);

/** Applies a life with sweeps as soon as anything is due. @throws Error if a user is still due after a sweep */
export const sweptAsSoonAsDue: Way = async (account, { happenings, last }) => {
  for (const happening of happenings) {
    await sweepDue(account, happening.at);
    await account.happens(happening);
  }
  await sweepDue(account, last);
};

async function sweepDue(account: AccountStory, upTo: Instant): Promise<void> {
  let before = -Infinity;
  for (let due = account.nextDueAt; due !== null && due <= upTo; due = account.nextDueAt) {
    if (due <= before) throw new Error(`a user is still due at ${due}, although a sweep has settled this instant`);
    await account.sweep(due);
    before = due;
  }
}

/** Before each event of a user, settles in records that give at most one due award, or awards of the same instant. */
export const settledInChunks: Way = async (account, { happenings, last }) => {
  for (const happening of happenings) {
    await account.settleInChunks(happening.command.subject, happening.at);
    await account.happens(happening);
  }
  for (const user of account.users) await account.settleInChunks(user, last);
};

/** Reads everything at each of the life's `looks`, and answers each event. */
export const readInBetween: Way = (account, life) => lookingIn(account, life, (at) => readAll(account, at), true);

async function readAll(account: AccountStory, at: Instant): Promise<void> {
  for (const user of account.users) {
    await account.read(user, at);
    account.owed(user, at);
  }
  void account.nextDueAt;
}

async function lookingIn(
  account: AccountStory,
  { happenings, looks }: Life,
  look: (at: Instant) => Promise<void>,
  wantsAnswer: boolean,
): Promise<void> {
  let next = 0;
  const lookUpTo = async (at: Instant) => {
    for (let due = looks[next]; due !== undefined && due <= at; due = looks[++next]) await look(due);
  };
  for (const happening of happenings) {
    await lookUpTo(happening.at);
    await account.happens(happening, { wantsAnswer });
  }
  await lookUpTo(Infinity);
}

/** A single sweep or read. */
export type Look = (account: AccountStory) => Promise<void>;

export const nobodyLooks: Look = () => Promise.resolve();

/** The next version is in force from an instant on; a sweep or read may happen directly before its publication. */
export const publishedAt =
  (at: Instant, look: Look): Way =>
  async (account, { happenings }) => {
    for (const happening of happenings.filter((one) => one.at < at)) await account.happens(happening);
    await look(account);
    account.publish();
    for (const happening of happenings.filter((one) => one.at >= at)) await account.happens(happening);
  };

/** An event with its own instant is reported after everything else; a sweep or read may happen directly before. */
export const reportedLate =
  (late: StoryEvent, look: Look): Way =>
  async (account, life) => {
    await neverSwept(account, life);
    await look(account);
    await account.happens(late);
  };

/** Applies the life, settles everybody at its last instant, and returns the result. */
export async function endingIn(way: Way, account: AccountStory, life: Life): Promise<Ending> {
  await way(account, life);
  await account.settle(account.users, life.last);
  return endingOf(account, life.last);
}
