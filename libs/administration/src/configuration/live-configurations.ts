import { planPublication, sameDocument, type Publication, type Published } from '@laurel/configuration';
import type { ConfigurationPlanAnswer } from '@laurel/contracts';
import type { Configurations } from '../ports.ts';

/** What publishing needs of the engine. */
export interface PublishingEngine {
  /** In order, each version once. */
  publications(account: string): readonly Publication[];
  /** Whether the log holds an event of the account: until then a publication replaces the one before it. */
  holdsEvents(account: string): boolean;
  /** Resolves when the document is in force. @throws if it could not be recorded. */
  publishConfiguration(account: string, document: unknown): Promise<unknown>;
}

/** The configurations of a running process: what is published here is in force for the next event. */
export class LiveConfigurations implements Configurations {
  readonly #engine: PublishingEngine;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(engine: PublishingEngine) {
    this.#engine = engine;
  }

  publications(account: string): readonly Publication[] {
    return this.#engine.publications(account);
  }

  plan(account: string, document: unknown): ConfigurationPlanAnswer {
    return planPublication(this.#published(account), document);
  }

  /** One after the other, so that of two equal documents at once the second finds the first in force. */
  publish(
    account: string,
    document: unknown,
  ): Promise<{ readonly publication: Publication; readonly created: boolean }> {
    const before = this.#turns.get(account) ?? Promise.resolve();
    const turn = before.then(() => this.#publish(account, document));
    this.#turns.set(
      account,
      turn.catch(() => undefined),
    );
    return turn;
  }

  async #publish(account: string, document: unknown) {
    const inForce = this.#engine.publications(account).at(-1);
    if (inForce !== undefined && sameDocument(inForce.document, document))
      return { publication: inForce, created: false };
    await this.#engine.publishConfiguration(account, document);
    const publication = this.#engine.publications(account).at(-1);
    if (publication === undefined) throw new Error('a configuration was published and is not there');
    return { publication, created: true };
  }

  #published(account: string): Published {
    return { publications: this.#engine.publications(account), holdsEvents: this.#engine.holdsEvents(account) };
  }
}
