import type { Instant } from '@laurel/calendar';
import type { AccountStory } from './account-story.ts';
import { endingOf, type Ending } from './ending.ts';
import type { StoryEvent, Life } from './lives.ts';

/** A way to tell an account a life. Ways differ in who looks when; the life stays the same. */
export type Way = (account: AccountStory, life: Life) => Promise<void>;

/** Nobody looks: what falls due is found by the next event of its user. */
export const neverSwept: Way = async (account, { happenings }) => {
  for (const happening of happenings) await account.happens(happening);
};

/** A sweep comes at each look of the life. */
export const sweptNowAndThen: Way = (account, life) => lookingIn(account, life, (at) => account.sweep(at), false);

/** As if a sweep came at every instant. @throws Error if a sweep leaves somebody due */
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
    if (due <= before) throw new Error(`somebody is still due at ${due}, though a sweep came`);
    await account.sweep(due);
    before = due;
  }
}

/** Before each event of a user, each record gives one due award at most, or those of one instant. */
export const settledInChunks: Way = async (account, { happenings, last }) => {
  for (const happening of happenings) {
    await account.settleInChunks(happening.command.subject, happening.at);
    await account.happens(happening);
  }
  for (const user of account.users) await account.settleInChunks(user, last);
};

/** Somebody reads everything at each look of the life, and each event is answered. */
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

/** Somebody looks once. */
export type Look = (account: AccountStory) => Promise<void>;

export const nobodyLooks: Look = () => Promise.resolve();

/** The next version is in force from an instant on; directly before its publication somebody may look. */
export const publishedAt =
  (at: Instant, look: Look): Way =>
  async (account, { happenings }) => {
    for (const happening of happenings.filter((one) => one.at < at)) await account.happens(happening);
    await look(account);
    account.publish();
    for (const happening of happenings.filter((one) => one.at >= at)) await account.happens(happening);
  };

/** An event is reported behind everything else, with an instant of its own; directly before that somebody may look. */
export const reportedLate =
  (late: StoryEvent, look: Look): Way =>
  async (account, life) => {
    await neverSwept(account, life);
    await look(account);
    await account.happens(late);
  };

/** Tells the life, settles everybody at its last instant, and says what it has come to. */
export async function endingIn(way: Way, account: AccountStory, life: Life): Promise<Ending> {
  await way(account, life);
  await account.settle(account.users, life.last);
  return endingOf(account, life.last);
}
