import type { TimelineEvent } from '@laurel/schemas';

/**
 * The freezes of a streak: an initial number, and one more for each period of days (of 24 hours) since the user's
 * creation.
 */
export interface FreezesQuery {
  readonly initial: number;
  readonly max: number;
  readonly earnEveryDays: number;
}

// Effects are read by the names of answers.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Effect = any;

const DAY_MS = 86_400_000;

/** The freezes of a user, counted by walking every instant at which one may be earned. */
export class FreezesOfUser {
  readonly #asked: FreezesQuery;
  #createdAt = 0;
  #asOf = 0;
  #held = 0;

  constructor(query: FreezesQuery) {
    this.#asked = query;
  }

  /**
   * In words, the freezes earned with an event. Freezes earned together make an outcome if the last of them was earned
   * after `past`.
   */
  told({ effects, occurredAt }: TimelineEvent, past: string): readonly string[] {
    const [users, streaks]: readonly Effect[][] = [[...effects.users], [...effects.streaks]];
    const created = users?.find(({ type }) => type === 'UserCreated');
    if (created) {
      this.#createdAt = this.#asOf = Date.parse(created.at);
      this.#held = this.#asked.initial;
    }
    let told = 0;
    for (const [place, { type, at }] of (streaks ?? []).entries()) {
      const used = streaks?.slice(place).find((effect) => effect.type === 'FreezeUsed');
      if (type === 'FreezeEarned') told += this.#earnUpTo(Date.parse(used?.at ?? occurredAt), past);
      if (type === 'FreezeUsed') [this.#held, this.#asOf] = [this.#held - 1, Math.max(this.#asOf, Date.parse(at))];
    }
    return told === 0 ? [] : [`streak.freeze_earned ${told} ${this.#held}`];
  }

  /** @returns the number of earned freezes, if the last of them is after `past` */
  #earnUpTo(at: number, past: string): number {
    const every = this.#asked.earnEveryDays * DAY_MS;
    let [earned, last] = [0, -Infinity];
    for (let next = this.#createdAt; next <= at; next += every)
      if (next > this.#asOf && this.#held < this.#asked.max)
        [this.#held, earned, last] = [this.#held + 1, earned + 1, next];
    this.#asOf = Math.max(this.#asOf, at);
    return past === '' || last >= Date.parse(past) ? earned : 0;
  }
}
