/** How much a server accepts at a time (specification, section 2.1). Requests that can wait are not refused. */
export interface HttpLimits {
  /** TCP connections. A further one is closed as soon as it is accepted. */
  readonly connections: number;
  /** Pipelined requests of one connection that are worked on together; those behind them wait, and nothing more is read. */
  readonly requestsPerConnection: number;
  /** Requests that wait so, on all connections together, each about 3 KB; beyond, a connection that has its share is ended. */
  readonly waitingRequests: number;
  /** How long an idle connection stays open. */
  readonly keepAliveSeconds: number;
}

export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  connections: 4_000,
  requestsPerConnection: 8,
  waitingRequests: 20_000,
  // Longer than common load balancers keep theirs: they must not send on a connection that is about to end.
  keepAliveSeconds: 72,
};
