import type { Configuration, ConfigurationHistory, PointsTrigger } from '@laurel/kernel';
import { compileVersion } from './compile-version.ts';
import type { CompiledVersion } from './lineage.ts';
import type { Publication } from './publication.ts';

/** All versions of an account's configuration, compiled. Immutable, so an older history stays valid. */
export interface CompiledHistory extends ConfigurationHistory {
  readonly versions: readonly CompiledVersion[];
}

/**
 * Compiles publications in the order of the log. A publication with the same number as the one before replaces it.
 * Deterministic.
 * @throws Error if there is no publication, a number is missing, or a document cannot be read.
 */
export function compileHistory(account: string, publications: readonly Publication[]): CompiledHistory {
  return historyOf(
    account,
    publications.reduce((versions: Versions, next) => append(account, versions, next), []),
  );
}

/**
 * Adds one publication to the history: of the next version, or of the newest one again, which it replaces (allowed only
 * while the log has no event: specification, section 9). Compiles only this version, with the same result as compiling
 * all of them.
 * @throws Error if its number is neither, or if its document cannot be read
 */
export function withPublication(history: CompiledHistory, publication: Publication): CompiledHistory {
  return historyOf(history.account, append(history.account, history.versions, publication));
}

type Versions = readonly CompiledVersion[];

function historyOf(account: string, versions: Versions): CompiledHistory {
  const newest = versions.at(-1);
  if (newest === undefined) throw new Error(`no configuration is published for ${JSON.stringify(account)}`);
  return {
    account,
    versions,
    current: newest.configuration,
    at: (version) => versionAt(versions, version),
    findTrigger: (triggerId): PointsTrigger | null => newest.lineage.triggers.get(triggerId) ?? null,
  };
}

function append(account: string, versions: Versions, next: Publication): Versions {
  const kept = versions.slice(0, next.version - 1);
  if (next.version !== kept.length + 1 || kept.length < versions.length - 1)
    throw new Error(`configuration version ${next.version} cannot follow version ${versions.length}`);
  return [...kept, compileVersion(account, next, kept.at(-1) ?? null)];
}

function versionAt(versions: Versions, version: number): Configuration {
  const found = Number.isInteger(version) ? versions[version - 1] : undefined;
  if (found === undefined) throw new Error(`the log holds no configuration version ${version}`);
  return found.configuration;
}
