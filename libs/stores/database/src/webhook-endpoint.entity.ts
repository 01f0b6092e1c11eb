import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An endpoint that receives outcomes of an account. */
@Entity({ name: 'webhook_endpoints' })
export class WebhookEndpointEntity {
  @PrimaryColumn({ type: 'text' })
  account!: string;

  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'text' })
  url!: string;

  @Column({ type: 'text' })
  description!: string;

  /** null for all types. */
  @Column({ type: 'text', array: true, nullable: true })
  types!: string[] | null;

  @Column({ type: 'text' })
  ordering!: string;

  @Column({ type: 'boolean', name: 'trophy_signature' })
  trophySignature!: boolean;

  /** Seconds. */
  @Column({ type: 'integer', name: 'minimum_interval' })
  minimumInterval!: number;

  /** Encrypted: the current secret, and the previous one until it expires. */
  @Column({ type: 'text' })
  secrets!: string;

  /** null while it is enabled. */
  @Column({ type: 'text', name: 'disabled_because', nullable: true })
  disabledBecause!: string | null;

  /** Since when it is enabled or disabled. */
  @Column({ type: 'timestamptz', name: 'state_since' })
  stateSince!: Date;

  /** The first failure since the last success; null if the latest attempt succeeded or there was none. */
  @Column({ type: 'timestamptz', name: 'failing_since', nullable: true })
  failingSince!: Date | null;

  @Column({ type: 'timestamptz', name: 'last_success_at', nullable: true })
  lastSuccessAt!: Date | null;

  /** Sequence up to which outcomes have become deliveries. */
  @Column({ type: 'bigint' })
  taken!: string;

  /** Sequence up to which outcomes of a replay in progress have become deliveries; null if no replay is in progress. */
  @Column({ type: 'bigint', nullable: true })
  replayed!: string | null;

  /** The last sequence of the replay. */
  @Column({ type: 'bigint', name: 'replay_to', nullable: true })
  replayTo!: string | null;

  /** null for the types of the endpoint. */
  @Column({ type: 'text', name: 'replay_types', array: true, nullable: true })
  replayTypes!: string[] | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  /** The actor's name in the log. */
  @Column({ type: 'text', name: 'created_by' })
  createdBy!: string;
}
