import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Where outcomes of an account are sent. */
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

  /** null: all. */
  @Column({ type: 'text', array: true, nullable: true })
  types!: string[] | null;

  @Column({ type: 'text' })
  ordering!: string;

  @Column({ type: 'boolean', name: 'trophy_signature' })
  trophySignature!: boolean;

  /** Seconds. */
  @Column({ type: 'integer', name: 'minimum_interval' })
  minimumInterval!: number;

  /** Encrypted: the present one, and the one before it until it ends. */
  @Column({ type: 'text' })
  secrets!: string;

  /** null: it is enabled. */
  @Column({ type: 'text', name: 'disabled_because', nullable: true })
  disabledBecause!: string | null;

  /** Since when it is enabled or disabled. */
  @Column({ type: 'timestamptz', name: 'state_since' })
  stateSince!: Date;

  /** The first failure behind which there is no success; null: the latest attempt was one, or there was none. */
  @Column({ type: 'timestamptz', name: 'failing_since', nullable: true })
  failingSince!: Date | null;

  @Column({ type: 'timestamptz', name: 'last_success_at', nullable: true })
  lastSuccessAt!: Date | null;

  /** Sequence up to which outcomes have become deliveries. */
  @Column({ type: 'bigint' })
  taken!: string;

  /** The same of a replay that is under way; null: none is. */
  @Column({ type: 'bigint', nullable: true })
  replayed!: string | null;

  /** The last sequence of the replay. */
  @Column({ type: 'bigint', name: 'replay_to', nullable: true })
  replayTo!: string | null;

  /** null: those of the endpoint. */
  @Column({ type: 'text', name: 'replay_types', array: true, nullable: true })
  replayTypes!: string[] | null;

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  /** As the log names them. */
  @Column({ type: 'text', name: 'created_by' })
  createdBy!: string;
}
