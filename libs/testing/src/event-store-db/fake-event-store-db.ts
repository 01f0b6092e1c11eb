import featureServices from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import streamServices from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { IStreamsServer } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import grpc from '@grpc/grpc-js';
import type { EventEmitter } from 'node:events';
import { handleAppend, handleBatchAppend } from './fake-appends.ts';
import { FakeServer } from './fake-server.ts';
import { FakeFaults, type FakeFault, type FaultyCall } from './fake-faults.ts';
import { addGossip, type FakeMember } from './fake-gossip.ts';
import { FakeLog, type FakeLogOptions } from './fake-log.ts';
import { serverError } from './fake-messages.ts';
import { handleRead } from './fake-reads.ts';
import { notLeader, refusalByRights, type FakeCallKind, type FakeRights } from './fake-refusals.ts';

export interface FakeEventStoreDbOptions extends FakeLogOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** Whether reads of a stream return positions, as newer servers do. */
  readonly positionsInStreams: boolean;
  /** Limit of open calls per connection; the client makes others wait. */
  readonly maxStreams: number;
  /** The log of the server's cluster, or null for a separate log. */
  readonly log: FakeLog | null;
  /** The cluster's nodes as this server sees them, or null if it is alone and the leader. */
  readonly members: (() => readonly FakeMember[]) | null;
  /** The server's certificate and key in PEM, or null without TLS. */
  readonly tls: { readonly certificate: string; readonly key: string } | null;
}

/** A stand-in for an EventStoreDB server, for tests on the wire. */
export interface FakeEventStoreDb {
  readonly url: string;
  readonly port: number;
  readonly log: FakeLog;
  readonly front: FakeServer;
  /**
   * Number of calls of each kind. `read` is a single read of a stream or of everything; `subscribe` is a subscription.
   */
  readonly calls: Readonly<Record<FaultyCall | 'batchAppend' | 'subscribe', number>>;
  /** The largest number of concurrently open calls. */
  readonly mostOpen: number;
  readonly rights: FakeRights;
  /** Applies these faults to the next calls of a kind, one each. */
  failNext(call: FaultyCall, faults: readonly FakeFault[]): void;
  /** Applies a fault to every append to streams with this prefix. */
  failAppendsTo(prefix: string, fault: FakeFault): void;
  /** The duration of each append. */
  delayMs: number;
  /** While false, new connections are refused. */
  reachable: boolean;
  /** Cuts every connection. */
  cut(): void;
  stop(): Promise<void>;
}

const DEFAULTS: FakeEventStoreDbOptions = {
  port: 0,
  file: null,
  firstPosition: 1_197n,
  positionsInStreams: true,
  maxStreams: 100,
  log: null,
  members: null,
  tls: null,
};

/**
 * Starts a fake server with the calls of the client's own service definitions; {@link FakeLog} describes the rules of
 * EventStoreDB that it follows. It tests an adapter on the wire, but proves nothing about a real server.
 */
export async function startFakeEventStoreDb(options: Partial<FakeEventStoreDbOptions> = {}): Promise<FakeEventStoreDb> {
  const all = { ...DEFAULTS, ...options };
  const log = all.log ?? new FakeLog(all);
  const faults = new FakeFaults();
  const calls = { append: 0, batchAppend: 0, read: 0, subscribe: 0 };
  const open = { now: 0, most: 0 };
  const rights: FakeRights = { password: 'right', mayAppend: true, mayReadAll: true };
  const alone = (): FakeMember[] => [{ host: '127.0.0.1', port: front.port, isLeader: true, isAlive: true }];
  const members = all.members ?? alone;
  const leader = (): FakeMember | null => members().find(({ isLeader }) => isLeader) ?? null;
  const refusal = (kind: FakeCallKind, metadata: grpc.Metadata): grpc.ServiceError | null => {
    const asksLeader = metadata.get('requires-leader').length > 0;
    if (asksLeader && leader()?.port !== front.port) return notLeader(leader());
    return refusalByRights(rights, kind);
  };
  const shared = { log, leader, cut: () => front.cut(), positionsInStreams: all.positionsInStreams };
  const appends = {
    ...shared,
    nextFault: (stream: string) => faults.next('append', stream),
    refusal: (metadata: grpc.Metadata) => refusal('append', metadata),
  };
  const reads = { ...shared, nextFault: () => faults.next('read'), refusal };
  const count = (kind: keyof typeof calls, call: EventEmitter): (() => void) => {
    calls[kind] += 1;
    open.most = Math.max(open.most, ++open.now);
    let isOpen = true;
    const close = (): void => {
      if (isOpen) open.now -= 1;
      isOpen = false;
    };
    call.once('finish', close).once('cancelled', close);
    return close;
  };

  const server = new grpc.Server({
    'grpc.max_receive_message_length': 17 * 1024 * 1024,
    'grpc.max_concurrent_streams': all.maxStreams,
  });
  server.addService(featureServices.ServerFeaturesService, { getSupportedMethods });
  addGossip(server, members);
  const service: IStreamsServer = {
    append: (call, answer) => {
      const close = count('append', call);
      handleAppend(appends, call, (...answered) => {
        setTimeout(() => {
          close();
          answer(...answered);
        }, fake.delayMs);
      });
    },
    batchAppend: (call) => {
      count('batchAppend', call);
      handleBatchAppend(appends, call);
    },
    read: (call) => {
      count(call.request.getOptions()?.hasSubscription() ? 'subscribe' : 'read', call);
      void handleRead(reads, call);
    },
    delete: (_call, answer) => answer(serverError(grpc.status.UNIMPLEMENTED, 'this server deletes nothing')),
    tombstone: (_call, answer) => answer(serverError(grpc.status.UNIMPLEMENTED, 'this server deletes nothing')),
  };
  server.addService(streamServices.StreamsService, service);
  const front = new FakeServer(await bind(server, all.tls));
  await front.listen(all.port);
  const fake: FakeEventStoreDb = {
    url: `esdb://127.0.0.1:${front.port}?tls=${String(all.tls !== null)}`,
    port: front.port,
    log,
    front,
    calls,
    get mostOpen() {
      return open.most;
    },
    rights,
    failNext: (call, planned) => faults.plan(call, planned),
    failAppendsTo: (prefix, fault) => faults.planFor(prefix, fault),
    delayMs: 0,
    get reachable() {
      return front.reachable;
    },
    set reachable(reachable) {
      front.reachable = reachable;
    },
    cut: () => front.cut(),
    stop: async () => {
      await front.close();
      server.forceShutdown();
      if (all.log === null) log.close();
    },
  };
  return fake;
}

/** @returns the port of the server itself, behind the proxy */
function bind(server: grpc.Server, tls: FakeEventStoreDbOptions['tls']): Promise<number> {
  const credentials =
    tls === null
      ? grpc.ServerCredentials.createInsecure()
      : grpc.ServerCredentials.createSsl(null, [
          { cert_chain: Buffer.from(tls.certificate), private_key: Buffer.from(tls.key) },
        ]);
  return new Promise((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error ? reject(error) : resolve(bound))),
  );
}

const getSupportedMethods: grpc.handleUnaryCall<unknown, InstanceType<typeof features.SupportedMethods>> = (
  _call,
  answer,
) => {
  const methods = Object.values(streamServices.StreamsService).map(({ path }: { path: string }) => {
    const [, service = '', method = ''] = path.split('/');
    return new features.SupportedMethod().setServiceName(service.toLowerCase()).setMethodName(method.toLowerCase());
  });
  answer(null, new features.SupportedMethods().setMethodsList(methods).setEventStoreServerVersion('23.10.0.0'));
};
