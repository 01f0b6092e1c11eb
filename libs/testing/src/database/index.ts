export { CountedBuffers } from './counted-buffers.ts';
export { openPrepared, openTestDatabase } from './database.ts';
export type { TestDatabase } from './database.ts';
export { openDatabaseProxy, type ConnectionFault, type DatabaseProxy } from './database-proxy.ts';
export { startPgBouncer, type PgBouncer } from './pgbouncer.ts';
export { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';
export { unlikeOf } from './unlike-settings.ts';
