import type { SqlReader } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import type { Outcomes } from '@laurel/outgoing';
import type { DataSource } from 'typeorm';
import type { Resolve } from './destinations/checked-connector.ts';
import type { Endpoint, RecordWebhookChange } from './endpoints/endpoints.ts';
import type { SecretBox } from './secrets/secret-box.ts';

/** Dependencies and settings of the webhooks of an account. */
export interface WebhooksDependencies {
  /** The database with the tables of `webhookMigrations`. */
  readonly dataSource: DataSource;
  /** Reads for lists, so that sending does not wait for them. */
  readonly listing: { readonly sql: SqlReader; readonly outcomes: Pick<Outcomes, 'newest' | 'read'> };
  readonly outcomes: Outcomes;
  /**
   * Resolves once outcomes are made for all events up to now, as far as possible. Missing if nothing has to wait for
   * them.
   */
  readonly caughtUp?: () => Promise<boolean>;
  readonly clock: Clock;
  readonly account: string;
  /** The types of outcomes that the configuration in force makes. @throws Error if there is no configuration yet */
  readonly madeTypes: () => ReadonlySet<string>;
  /** The table of the directory, schema-qualified if necessary. Default: `subjects`. */
  readonly subjects?: string;
  readonly box: SecretBox;
  /** The value of LAUREL_WEBHOOK_ALLOW. */
  readonly allow: readonly string[];
  readonly retryScale: number;
  readonly resolve?: Resolve;
  readonly onFailure: (error: unknown) => void;
  readonly onDisabled: (endpoint: Endpoint) => void;
  /** Missing if changes of endpoints are not recorded. */
  readonly record?: RecordWebhookChange;
}
