import type { DataSource } from 'typeorm';
import type pg from 'pg';

export interface PoolUse {
  /** Connections on which a query runs. */
  readonly inUse: number;
  readonly open: number;
  /** Callers for whom no connection is free. */
  readonly waiting: number;
}

/** How the pool of an initialised data source is used. */
export function poolUse({ driver }: DataSource): PoolUse {
  const { master } = driver as unknown as { readonly master: pg.Pool };
  return { inUse: master.totalCount - master.idleCount, open: master.totalCount, waiting: master.waitingCount };
}
