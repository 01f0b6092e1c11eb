import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The session of a signed-in browser. The token is stored only in the browser's cookie. */
@Entity({ name: 'console_sessions' })
export class ConsoleSessionEntity {
  @PrimaryColumn({ type: 'text' })
  account!: string;

  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  /** SHA-256 of the token, hexadecimal. */
  @Column({ type: 'text', unique: true })
  hash!: string;

  /** The sealed hash of the API key with which the session ends, which only the token opens; null if a link of the local socket opened it. */
  @Column({ type: 'text', name: 'sealed_key', nullable: true })
  sealedKey!: string | null;

  /** The name of its holder in the log. */
  @Column({ type: 'text' })
  by!: string;

  @Column({ type: 'text', array: true })
  scopes!: string[];

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  /** Accurate to a minute. */
  @Column({ type: 'timestamptz', name: 'used_at' })
  usedAt!: Date;
}

/** A link that opens one session. */
@Entity({ name: 'console_links' })
export class ConsoleLinkEntity {
  /** SHA-256 of the token behind its `#`, hexadecimal. */
  @PrimaryColumn({ type: 'text' })
  hash!: string;

  @Column({ type: 'text' })
  account!: string;

  /** The name of its user in the log. */
  @Column({ type: 'text' })
  by!: string;

  @Column({ type: 'text', array: true })
  scopes!: string[];

  /** The sealed hash of the API key that created it, which only the token opens; null if it was created over the local socket. */
  @Column({ type: 'text', name: 'sealed_key', nullable: true })
  sealedKey!: string | null;

  @Column({ type: 'timestamptz', name: 'expires_at' })
  expiresAt!: Date;
}
