import type { BoardOutcome } from '@laurel/kernel';
import type { EffectMessage, TrunkEffect } from '@laurel/ports';
import { nothingOf, type Gathered } from './gathered.ts';

/** What has arrived of one event. */
export class Gathering {
  readonly eventId: string;
  readonly partition: number;
  /** Whether the services have committed what the event changed. */
  applied = false;
  #trunk: TrunkEffect | null = null;
  readonly #boards = new Map<number, readonly BoardOutcome[]>();

  constructor(eventId: string, partition: number) {
    this.eventId = eventId;
    this.partition = partition;
  }

  /** null while the areas of the user have not told. */
  get trail(): readonly number[] | null {
    return this.#trunk?.trail ?? null;
  }

  get isComplete(): boolean {
    return this.applied && this.#trunk !== null && this.#hasBoards(this.#trunk);
  }

  /** An effect that comes again is the same one. */
  take(effect: EffectMessage): void {
    switch (effect.kind) {
      case 'trunk':
        this.#trunk ??= effect;
        return;
      case 'boards':
        if (!this.#boards.has(effect.partition)) this.#boards.set(effect.partition, effect.outcomes);
    }
  }

  /** As far as it is known by now. */
  result(): Gathered {
    const trunk = this.#trunk;
    if (trunk === null) return nothingOf(this.eventId);
    const { sections } = trunk.message;
    if (!this.#hasBoards(trunk)) return { eventId: this.eventId, sections, pending: ['leaderboards'] };
    const boards = trunk.boards.flatMap((partition) => this.#boards.get(partition) ?? []);
    return { eventId: this.eventId, sections: { ...sections, leaderboards: { boards } }, pending: [] };
  }

  #hasBoards({ boards }: TrunkEffect): boolean {
    return boards.every((partition) => this.#boards.has(partition));
  }
}
