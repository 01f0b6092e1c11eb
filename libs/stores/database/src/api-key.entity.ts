import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An API key as it is kept: the key itself is shown once, when it is made, and is nowhere. */
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

  /** From then on it is refused; null: never. */
  @Column({ type: 'timestamptz', name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  /** Since then it is refused; null: it is not. */
  @Column({ type: 'timestamptz', name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;

  /** null: as many as the caller likes. */
  @Column({ type: 'integer', name: 'requests_per_minute', nullable: true })
  requestsPerMinute!: number | null;

  /** As the log names them; null: an earlier release did not keep it. */
  @Column({ type: 'text', name: 'created_by', nullable: true })
  createdBy!: string | null;

  @Column({ type: 'text', name: 'creation_reason', nullable: true })
  creationReason!: string | null;

  @Column({ type: 'text', name: 'revoked_by', nullable: true })
  revokedBy!: string | null;

  @Column({ type: 'text', name: 'revocation_reason', nullable: true })
  revocationReason!: string | null;

  /** Whether the log is known to hold the event. */
  @Column({ type: 'boolean', name: 'creation_recorded', default: false })
  creationRecorded!: boolean;

  @Column({ type: 'boolean', name: 'revocation_recorded', default: false })
  revocationRecorded!: boolean;
}
