import { ALWAYS_MADE, type Configuration, type ConfigurationHistory, type RecordedEvent } from '@laurel/kernel';
import { KEPT_BY_DEFAULT, keptMs } from '@laurel/schemas';
import type { OutcomeReaderDependencies } from './reader-dependencies.ts';

/** A version of the configuration and the position at which it came into force; a version may be published again. */
interface Publication {
  readonly position: number;
  readonly version: number;
}

/** The part of the log under one version of the configuration: the events after `after`, up to `upTo`. */
export interface Stretch {
  readonly after: number;
  readonly upTo: number;
  readonly version: number;
}

/** The types made under a version of the configuration without `outgoing`. */
export const UNNAMED = { types: new Set(ALWAYS_MADE), keepMs: keptMs(KEPT_BY_DEFAULT) ?? 0 };

/** Where each version of an account's configuration came into force in the log, as far as this process knows the version. */
export class PublishedVersions {
  readonly #dependencies: Pick<OutcomeReaderDependencies, 'log' | 'configurations'>;
  readonly #account: string;
  #publications: readonly Publication[] = [];
  /** The configuration that was current when the publications were read. */
  #current: Configuration | null = null;

  constructor(dependencies: Pick<OutcomeReaderDependencies, 'log' | 'configurations'>, account: string) {
    this.#dependencies = dependencies;
    this.#account = account;
  }

  /** null before the first publication. */
  history(): ConfigurationHistory | null {
    try {
      return this.#dependencies.configurations(this.#account);
    } catch {
      return null;
    }
  }

  /** null if the version says nothing about outcomes. */
  outgoingAt(version: number) {
    return this.history()?.at(version).outgoing ?? null;
  }

  /** Reads the publications again if there are new ones. @returns whether a configuration is in force */
  async refresh(): Promise<boolean> {
    const history = this.history();
    if (history === null) return false;
    if (this.#current !== history.current) {
      await this.read();
      this.#current = history.current;
    }
    return this.#publications.length > 0;
  }

  /** Reads the publications up to the first version that this process does not know. @returns whether it knows all of them */
  async read(): Promise<boolean> {
    const facts = await this.#dependencies.log.readAccountEvents(this.#account, ['ConfigurationPublished']);
    const publications = facts.flatMap(({ position, fact }) =>
      fact.type === 'ConfigurationPublished' ? [{ position, version: fact.version }] : [],
    );
    const unknown = publications.findIndex(({ version }) => !this.#knows(version));
    this.#publications = unknown < 0 ? publications : publications.slice(0, unknown);
    return unknown < 0;
  }

  /**
   * The log may lag behind the publications that this process knows. If these records hold a known publication that was missing, its
   * position is read again.
   * @returns whether there is such a publication
   */
  notice(records: readonly RecordedEvent[]): boolean {
    for (const { account, position, fact } of records) {
      if (fact.type !== 'ConfigurationPublished' || account !== this.#account) continue;
      if (this.#publications.some((known) => known.position === position)) continue;
      const isKnown = this.#knows(fact.version);
      if (isKnown) this.#current = null;
      return isKnown;
    }
    return false;
  }

  /** The records before the first one under a version that this process does not know. */
  knownOf(records: readonly RecordedEvent[]): readonly RecordedEvent[] {
    const unknown = records.findIndex(({ configurationVersion }) => !this.#knows(configurationVersion));
    return unknown < 0 ? records : records.slice(0, unknown);
  }

  /** The first publication whose version names outcomes. */
  firstNamed(): Publication | undefined {
    return this.#publications.find(({ version }) => this.outgoingAt(version) !== null);
  }

  /** How long outcomes are kept: as the newest version with outcomes says. */
  keepMs(): number {
    const newest = this.#publications.findLast(({ version }) => this.outgoingAt(version) !== null);
    return (newest && this.outgoingAt(newest.version)?.keepMs) ?? UNNAMED.keepMs;
  }

  /** The first stretch that ends after a position, or null if there is none. */
  stretchBehind(position: number): Stretch | null {
    for (const [index, publication] of this.#publications.entries()) {
      const upTo = (this.#publications[index + 1]?.position ?? Infinity) - 1;
      if (upTo > position)
        return { after: Math.max(position, publication.position - 1), upTo, version: publication.version };
    }
    return null;
  }

  #knows(version: number): boolean {
    try {
      this.#dependencies.configurations(this.#account).at(version);
      return true;
    } catch {
      return false;
    }
  }
}
