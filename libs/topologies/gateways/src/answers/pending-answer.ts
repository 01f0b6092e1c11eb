import type { BoardOutcome } from '@laurel/kernel';
import type { EffectMessage, UserPart } from '@laurel/ports';
import { nothingOf, type Gathered } from './gathered.ts';

/** The effects of one event that have arrived. */
export class PendingAnswer {
  readonly eventId: string;
  readonly partition: number;
  /** Whether the services have committed the changes of the event. */
  applied = false;
  #userPart: UserPart | null = null;
  readonly #boards = new Map<number, readonly BoardOutcome[]>();

  constructor(eventId: string, partition: number) {
    this.eventId = eventId;
    this.partition = partition;
  }

  /** The offsets of the event in the services; null until the user part has arrived. */
  get offsets(): readonly number[] | null {
    return this.#userPart?.trail ?? null;
  }

  get isComplete(): boolean {
    return this.applied && this.#userPart !== null && this.#hasBoards(this.#userPart);
  }

  /** A repeated effect is identical, and ignored. */
  take(effect: EffectMessage): void {
    switch (effect.kind) {
      case 'trunk':
        this.#userPart ??= effect;
        return;
      case 'boards':
        if (!this.#boards.has(effect.partition)) this.#boards.set(effect.partition, effect.outcomes);
    }
  }

  /** The results that are known so far. */
  result(): Gathered {
    const userPart = this.#userPart;
    if (userPart === null) return nothingOf(this.eventId);
    const { sections } = userPart.message;
    if (!this.#hasBoards(userPart)) return { eventId: this.eventId, sections, pending: ['leaderboards'] };
    const boards = userPart.boards.flatMap((partition) => this.#boards.get(partition) ?? []);
    return { eventId: this.eventId, sections: { ...sections, leaderboards: { boards } }, pending: [] };
  }

  #hasBoards({ boards }: UserPart): boolean {
    return boards.every((partition) => this.#boards.has(partition));
  }
}
