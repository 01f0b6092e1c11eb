import type { SqlReader } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import type { Outcomes } from '@laurel/outgoing';
import type { DataSource } from 'typeorm';
import type { Resolve } from './destinations/checked-connector.ts';
import type { Endpoint, RecordWebhookChange } from './endpoints/endpoints.ts';
import type { SecretBox } from './secrets/secret-box.ts';

/** Dependencies and settings of the webhooks of an account. */
export interface WebhooksDependencies {
  /** With the tables of `webhookMigrations`. */
  readonly dataSource: DataSource;
  /** For lists, so that sending does not wait for them. */
  readonly listing: { readonly sql: SqlReader; readonly outcomes: Pick<Outcomes, 'newest' | 'read'> };
  readonly outcomes: Outcomes;
  /** Resolves once the outcomes of all events up to now are made, as far as possible. Absent: nothing waits for them. */
  readonly caughtUp?: () => Promise<boolean>;
  readonly clock: Clock;
  readonly account: string;
  /** The types of outcomes that the configuration in force makes. @throws Error if there is no configuration yet */
  readonly madeTypes: () => ReadonlySet<string>;
  /** The table of the directory, schema-qualified where it must be; absent: `subjects`. */
  readonly subjects?: string;
  readonly box: SecretBox;
  /** LAUREL_WEBHOOK_ALLOW. */
  readonly allow: readonly string[];
  readonly retryScale: number;
  readonly resolve?: Resolve;
  readonly onFailure: (error: unknown) => void;
  readonly onDisabled: (endpoint: Endpoint) => void;
  /** Absent: changes of endpoints are recorded nowhere. */
  readonly record?: RecordWebhookChange;
}
