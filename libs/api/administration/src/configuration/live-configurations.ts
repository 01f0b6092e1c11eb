import {
  planId,
  planPublicationInSteps,
  sameDocument,
  type Publication,
  type Published,
  type WrittenDocument,
} from '@laurel/configuration';
import type { Attribution } from '@laurel/kernel';
import type { ConfigurationPlanAnswer } from '@laurel/schemas';
import type { ConfigurationFiles } from '@laurel/database';
import type { Configurations } from '../ports.ts';

/** The part of the engine that publishing needs. */
export interface PublishingEngine {
  /** In order, each version once. */
  publications(account: string): readonly Publication[];
  /** Whether the log holds an event of the account: until then a publication replaces the one before it. */
  holdsEvents(account: string): boolean;
  /** Resolves when the document is in force, and the last of {@link publications}. @throws if it could not be recorded. */
  publishConfiguration(account: string, document: unknown, attribution: Attribution): Promise<unknown>;
  /** Only if other processes publish, too: `work` runs while none of them does, and sees everything they have published. */
  exclusively?<T>(account: string, work: (engine: PublishingEngine) => Promise<T>): Promise<T>;
}

export const exclusively = <T>(
  engine: PublishingEngine,
  account: string,
  work: (engine: PublishingEngine) => Promise<T>,
): Promise<T> => (engine.exclusively ? engine.exclusively(account, work) : work(engine));

/** The configurations of a running process: a version that is published here is in force for the next event. */
export class LiveConfigurations implements Configurations {
  readonly #engine: PublishingEngine;
  readonly #files: ConfigurationFiles;
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(engine: PublishingEngine, files: ConfigurationFiles) {
    this.#engine = engine;
    this.#files = files;
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

  /** One after the other: the second of two equal documents finds the first in force. */
  publish(
    account: string,
    written: WrittenDocument,
    options: { readonly accept: boolean; readonly plan: string | null; readonly attribution: Attribution },
  ): Promise<PublicationResult | null> {
    const before = this.#turns.get(account) ?? Promise.resolve();
    const turn = before.then(() =>
      exclusively(this.#engine, account, async (engine) => {
        const result = await publishUnlessInForce({ engine, files: this.#files, account }, written, options);
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
  /** Whether this call published it. */
  readonly created: boolean;
  /** The text to show for it; null: none is kept. */
  readonly text: string | null;
}

/**
 * Publishes a document unless it is in force; null: the plan is stale. A document in force needs no plan, so a repeated call gets the
 * same answer.
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

/** Where a configuration is published. */
export interface PublicationTarget {
  readonly engine: PublishingEngine;
  readonly files: ConfigurationFiles;
  readonly account: string;
}

/** If the process ends in between, the version has no text until the same document is published again. */
export async function publishWritten(
  { engine, files, account }: PublicationTarget,
  { document, text }: WrittenDocument,
  attribution: Attribution,
): Promise<Publication> {
  await engine.publishConfiguration(account, document, attribution);
  const publication = engine.publications(account).at(-1);
  if (publication === undefined) throw new Error('a configuration was published and is not there');
  await files.keepText(account, publication, text);
  return publication;
}
