import type { DataSource } from 'typeorm';
import type pg from 'pg';

export interface PoolUse {
  /** Connections with a running query. */
  readonly inUse: number;
  readonly open: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
}

/** The current use of the pool of an initialised data source. */
export function poolUse({ driver }: DataSource): PoolUse {
  const { master } = driver as unknown as { readonly master: pg.Pool };
  return { inUse: master.totalCount - master.idleCount, open: master.totalCount, waiting: master.waitingCount };
}
