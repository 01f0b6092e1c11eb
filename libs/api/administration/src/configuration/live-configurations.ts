import {
  hashedConditions,
  planId,
  planPublicationInSteps,
  sameDocument,
  type Publication,
  type Published,
  type WrittenDocument,
} from '@laurel/configuration';
import type { Attribution, HashedAttribute } from '@laurel/kernel';
import type { AttributeHashing } from '@laurel/ports';
import type { ConfigurationPlanAnswer } from '@laurel/schemas';
import type { ConfigurationFiles } from '@laurel/database';
import type { Configurations } from '../ports.ts';

/** The engine's operations for publishing. */
export interface PublishingEngine {
  /** In order; each version appears once. */
  publications(account: string): readonly Publication[];
  /** Whether the log has an event of the account. Until then, a publication replaces the one before it. */
  holdsEvents(account: string): boolean;
  /** Resolves when the document is in force, and is the last of {@link publications}. @throws if recording failed. */
  publishConfiguration(
    account: string,
    document: unknown,
    attribution: Attribution,
    attributeHashes?: readonly HashedAttribute[],
  ): Promise<unknown>;
  /**
   * Present only if other processes publish as well: runs `work` while none of them does. It sees all earlier
   * publications.
   */
  exclusively?<T>(account: string, work: (engine: PublishingEngine) => Promise<T>): Promise<T>;
}

export const exclusively = <T>(
  engine: PublishingEngine,
  account: string,
  work: (engine: PublishingEngine) => Promise<T>,
): Promise<T> => (engine.exclusively ? engine.exclusively(account, work) : work(engine));

/** The configurations of a running process. A version published here is in force for the next event. */
export class LiveConfigurations implements Configurations {
  readonly #engine: PublishingEngine;
  readonly #files: ConfigurationFiles;
  readonly #hashing: AttributeHashing;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(engine: PublishingEngine, files: ConfigurationFiles, hashing: AttributeHashing) {
    this.#engine = engine;
    this.#files = files;
    this.#hashing = hashing;
  }

  publications(account: string): readonly Publication[] {
    return this.#engine.publications(account);
  }

  plan(account: string, document: unknown): Promise<ConfigurationPlanAnswer> {
    return planPublicationInSteps(this.#published(account), document);
  }

  textOf(account: string, publication: Publication): Promise<string | null> {
    return this.#files.textOf(account, publication);
  }

  /** Publishes one document after the other, so the second of two equal documents finds the first in force. */
  publish(
    account: string,
    written: WrittenDocument,
    options: { readonly accept: boolean; readonly plan: string | null; readonly attribution: Attribution },
  ): Promise<PublicationResult | null> {
    const before = this.#turns.get(account) ?? Promise.resolve();
    const turn = before.then(() =>
      exclusively(this.#engine, account, async (engine) => {
        const target = { engine, files: this.#files, hashing: this.#hashing, account };
        const result = await publishUnlessInForce(target, written, options);
        if (result !== null && options.accept) await this.#files.record(account, written.document);
        return result;
      }),
    );
    this.#turns.set(
      account,
      turn.catch(() => undefined),
    );
    return turn;
  }

  #published(account: string): Published {
    return { publications: this.#engine.publications(account), holdsEvents: this.#engine.holdsEvents(account) };
  }
}

interface PublicationResult {
  readonly publication: Publication;
  /** Whether this call published the version. */
  readonly created: boolean;
  /** The text to show for it, or null if none is stored. */
  readonly text: string | null;
}

/**
 * Publishes a document unless it is in force. Returns null if the plan is stale. A document in force needs no plan, so
 * a repeated call gets the same answer.
 */
async function publishUnlessInForce(
  target: PublicationTarget,
  written: WrittenDocument,
  { plan, attribution }: { readonly plan: string | null; readonly attribution: Attribution },
): Promise<PublicationResult | null> {
  const { engine, files, account } = target;
  const inForce = engine.publications(account).at(-1);
  if (inForce !== undefined && sameDocument(inForce.document, written.document)) {
    const { text } = written;
    if (text !== null) await files.keepText(account, inForce, text);
    return { publication: inForce, created: false, text: text ?? (await files.textOf(account, inForce)) };
  }
  if (plan !== null && plan !== planId(inForce, written.document)) return null;
  const publication = await publishWritten(target, written, attribution);
  return { publication, created: true, text: written.text };
}

/** The account and the stores that a publication needs. */
export interface PublicationTarget {
  readonly engine: PublishingEngine;
  readonly files: ConfigurationFiles;
  readonly hashing: AttributeHashing;
  readonly account: string;
}

/**
 * Stores the text after the publication. If the process ends in between, the version has no text until the same
 * document is published again.
 */
export async function publishWritten(
  { engine, files, hashing, account }: PublicationTarget,
  { document, text }: WrittenDocument,
  attribution: Attribution,
): Promise<Publication> {
  const hashes = await hashedConditions(document, (attributes) => hashing.attributeHashes(account, attributes));
  await engine.publishConfiguration(account, document, attribution, hashes);
  const publication = engine.publications(account).at(-1);
  if (publication === undefined) throw new Error('a configuration was published, but could not be found');
  await files.keepText(account, publication, text);
  return publication;
}
