import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Somebody who has signed in with a browser. The token is in the browser's cookie and nowhere else. */
@Entity({ name: 'console_sessions' })
export class ConsoleSessionEntity {
  @PrimaryColumn({ type: 'text' })
  account!: string;

  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  /** SHA-256 of the token, hexadecimal. */
  @Column({ type: 'text', unique: true })
  hash!: string;

  /** The hash of the API key that it ends with, which only the token reveals; null: it was opened by a link of the local socket. */
  @Column({ type: 'text', name: 'sealed_key', nullable: true })
  sealedKey!: string | null;

  /** As whom the log names its holder. */
  @Column({ type: 'text' })
  by!: string;

  @Column({ type: 'text', array: true })
  scopes!: string[];

  @Column({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  /** Within a minute. */
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

  /** As whom the log names whoever uses it. */
  @Column({ type: 'text' })
  by!: string;

  @Column({ type: 'text', array: true })
  scopes!: string[];

  /** The hash of the API key that it was made with, which only the token reveals; null: it was made over the local socket. */
  @Column({ type: 'text', name: 'sealed_key', nullable: true })
  sealedKey!: string | null;

  @Column({ type: 'timestamptz', name: 'expires_at' })
  expiresAt!: Date;
}
