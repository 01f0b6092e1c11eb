import { startFakeEventStoreDb, type FakeEventStoreDb } from './fake-event-store-db.ts';
import type { FakeMember } from './fake-gossip.ts';
import { FakeLog } from './fake-log.ts';

/** Nodes that share one log. One of them is the leader, to which the others redirect clients. */
export interface FakeCluster {
  /** URL with all nodes. */
  readonly url: string;
  readonly nodes: readonly FakeEventStoreDb[];
  readonly log: FakeLog;
  /**
   * Makes another node the leader; whatever only the old one has is lost. The other nodes report a frozen node as dead.
   */
  elect(node: number): void;
  stop(): Promise<void>;
}

export async function startFakeCluster(size: number): Promise<FakeCluster> {
  const log = new FakeLog({ file: null, firstPosition: 1_197n });
  const nodes: FakeEventStoreDb[] = [];
  let leader = 0;
  let elected = false;
  const members = (): FakeMember[] =>
    nodes.map(({ port, front }, index) => ({
      host: '127.0.0.1',
      port,
      isLeader: index === leader,
      isAlive: !(elected && front.frozen),
    }));
  for (let node = 0; node < size; node++) nodes.push(await startFakeEventStoreDb({ log, members }));
  return {
    url: `esdb://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}?tls=false`,
    nodes,
    log,
    elect: (node) => {
      log.loseUnreplicated();
      leader = node;
      elected = true;
    },
    stop: async () => {
      for (const node of nodes) await node.stop();
      log.close();
    },
  };
}
