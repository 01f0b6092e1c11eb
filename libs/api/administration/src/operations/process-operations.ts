import { createRequire } from 'node:module';
import { formatInstant, tzDataVersion } from '@laurel/calendar';
import { type AreaName, repairCommand, type ConfigurationHistory, type DamagedState } from '@laurel/kernel';
import type { Clock, Directory, UserReads } from '@laurel/ports';
import {
  queueStatus,
  type AreaStatus,
  type DamagedUser,
  type DigestAnswer,
  type RebuildAnswer,
  type ServiceStatus,
  placeholderUsers,
  type StorageStatus,
  type WebhookStatus,
} from '@laurel/schemas';
import { invalidField, type Health } from '@laurel/runtime';
import type { Operations, Rebuilds } from '../ports.ts';
import { heldBackAnswer, type HeldFile } from '../configuration/held-file.ts';
import { RebuildRuns, type CompareRebuild, type RunRebuild } from './rebuilds.ts';

const { version } = createRequire(import.meta.url)('@laurel/administration/package.json') as {
  readonly version: string;
};

/** Dependencies of the operations, in a process that runs the whole chain. */
export interface OperationsDependencies {
  readonly engine: OperatedEngine;
  readonly directory: Pick<Directory, 'idsOf' | 'findAll'>;
  readonly users: Pick<UserReads, 'profiles'>;
  readonly clock: Clock;
  readonly health: Pick<Health, 'report'>;
  readonly heldFile: Pick<HeldFile, 'present'>;
  /** A data folder that is not in use; null or missing if all are in use. */
  readonly unusedDataFolder?: string | null;
  readonly storage: StorageSource;
  /** Failures in the background, one sentence each. */
  readonly problems: () => readonly string[];
  /** Missing if this process sends no webhooks. @throws StoreUnavailableError */
  readonly webhooks?: () => Promise<readonly WebhookStatus[]>;
  readonly digest: (account: string) => Promise<{
    readonly position: number;
    readonly lines: readonly DigestAnswer['lines'][number][];
  }>;
  readonly exportState: (account: string, at: number) => AsyncIterable<string>;
  readonly onRebuildEnd: (rebuild: RebuildAnswer, error: unknown) => void;
}

/** The disk usage of the service. */
export interface StorageSource {
  /** Never rejects; null if it is unknown at present. */
  current(): Promise<StorageStatus | null>;
}

/** The engine's operations for operators. */
export interface OperatedEngine {
  status(): {
    readonly queue: ServiceStatus['lane']['state'];
    readonly waiting: number;
    readonly stalledMs: number;
    readonly head: number;
    readonly areas: readonly AreaStatus[];
    readonly damagedUsers: number;
    readonly damaged: readonly DamagedState[];
  };
  historyOf(account: string): ConfigurationHistory;
  importOpen(account: string): boolean;
  readonly rebuild: RunRebuild;
  readonly compareRebuild: CompareRebuild;
  /** @throws Error that says why these areas cannot be rebuilt alone. */
  areasToRebuild(asked: readonly AreaName[]): readonly AreaName[];
}

export class ProcessOperations implements Operations {
  readonly rebuilds: Rebuilds;
  readonly #dependencies: OperationsDependencies;
  readonly #runs: RebuildRuns;

  constructor(dependencies: OperationsDependencies) {
    this.#dependencies = dependencies;
    const { engine, clock, onRebuildEnd: onEnd } = dependencies;
    const runs = new RebuildRuns({
      run: (areas, onProgress) => engine.rebuild(areas, onProgress),
      compare: (areas, onProgress) => engine.compareRebuild(areas, onProgress),
      clock,
      onEnd,
    });
    this.#runs = runs;
    this.rebuilds = {
      start: (asked, verify) => runs.start(rebuildable(engine, asked), verify, engine.status().head),
      find: (id) => runs.find(id),
    };
  }

  async status(account: string): Promise<ServiceStatus> {
    const { engine, clock, health, heldFile, unusedDataFolder = null, storage } = this.#dependencies;
    const problems = this.#dependencies.problems();
    const [{ ok, notes }, disk, placeholders, webhooks] = await Promise.all([
      health.report(),
      storage.current(),
      placeholderUsers(this.#dependencies, account).catch(() => null),
      this.#dependencies.webhooks?.().catch(() => undefined),
    ]);
    const { queue, waiting, stalledMs, head, areas, damagedUsers, damaged } = engine.status();
    return {
      version,
      ready: ok && problems.length === 0,
      now: formatInstant(clock.now()),
      clock: notes['clock'] ?? null,
      tzDataVersion,
      configurationVersion: engine.historyOf(account).current.version,
      ...heldBackAnswer(heldFile.present),
      ...(unusedDataFolder !== null && { unusedDataFolder }),
      head,
      importOpen: engine.importOpen(account),
      ...queueStatus({ state: queue, waiting, stalledMs }),
      areas: [...areas],
      damagedUsers,
      damaged: await this.#named(damaged),
      ...(placeholders !== null && { placeholderUsers: placeholders.length }),
      problems: [...problems],
      ...(webhooks !== undefined && { webhooks: [...webhooks] }),
      ...(disk !== null && { storage: disk }),
      rebuild: this.#runs.latest,
    };
  }

  /** Names users by their ids, or by their subjects while the directory cannot be reached. */
  #named(damaged: readonly DamagedState[]): Promise<DamagedUser[]> {
    const idOf = async ({ account, subject }: DamagedState) =>
      (await this.#dependencies.directory.idsOf(account, [subject])).get(subject);
    return Promise.all(
      damaged.map(async (damage) => {
        const { account, subject, area, reason } = damage;
        const userId = (await idOf(damage).catch(() => undefined)) ?? `subject ${subject}`;
        return { account, userId, area, reason, repair: repairCommand(damage) };
      }),
    );
  }

  async digest(account: string): Promise<DigestAnswer> {
    const { position, lines } = await this.#dependencies.digest(account);
    return { position, tzDataVersion, lines: [...lines] };
  }

  state(account: string): AsyncIterable<string> {
    return this.#dependencies.exportState(account, this.#dependencies.clock.now());
  }
}

function rebuildable(engine: OperatedEngine, asked: readonly AreaName[]): readonly AreaName[] {
  try {
    return engine.areasToRebuild(asked);
  } catch (error) {
    throw invalidField('areas', `cannot be rebuilt: ${(error as Error).message}`);
  }
}
