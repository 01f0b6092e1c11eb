import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An API key without the key itself, which is shown once at creation and stored nowhere. */
@Entity({ name: 'api_keys' })
export class ApiKeyEntity {
  @PrimaryColumn({ type: 'text' })
  account!: string;

  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  /** SHA-256 of the whole key, hexadecimal. */
  @Column({ type: 'text', unique: true })
  hash!: string;

  @Column({ type: 'text' })
  label!: string;

  @Column({ type: 'text', array: true })
  scopes!: string[];

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  /** The key is refused from then on; null if it never expires. */
  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  /** The key is refused since then; null if it is not revoked. */
  @Column({ type: 'timestamptz', name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;

  /** null if there is no limit. */
  @Column({ type: 'integer', name: 'requests_per_minute', nullable: true })
  requestsPerMinute!: number | null;

  /** The actor's name in the log; null if an earlier release created the key. */
  @Column({ type: 'text', name: 'created_by', nullable: true })
  createdBy!: string | null;

  @Column({ type: 'text', name: 'creation_reason', nullable: true })
  creationReason!: string | null;

  @Column({ type: 'text', name: 'revoked_by', nullable: true })
  revokedBy!: string | null;

  @Column({ type: 'text', name: 'revocation_reason', nullable: true })
  revocationReason!: string | null;

  /** Whether the event is known to be in the log. */
  @Column({ type: 'boolean', name: 'creation_recorded', default: false })
  creationRecorded!: boolean;

  @Column({ type: 'boolean', name: 'revocation_recorded', default: false })
  revocationRecorded!: boolean;
}
