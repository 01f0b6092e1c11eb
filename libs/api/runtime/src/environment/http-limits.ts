/** How much a server accepts at a time (specification, section 2.1). Requests that can wait are not refused. */
export interface HttpLimits {
  /** TCP connections. Another one is closed as soon as it is accepted. */
  readonly connections: number;
  /**
   * Pipelined requests of one connection that are handled concurrently. Further ones wait, and nothing more is read.
   */
  readonly requestsPerConnection: number;
  /**
   * Waiting requests on all connections together, about 3 KB each. Beyond the limit, a connection with waiting requests
   * is closed.
   */
  readonly waitingRequests: number;
  /** How long an idle connection stays open. */
  readonly keepAliveSeconds: number;
}

export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  connections: 4_000,
  requestsPerConnection: 8,
  waitingRequests: 20_000,
  // Longer than the timeout of common load balancers, which must not send on a connection that is about to close.
  keepAliveSeconds: 72,
};
