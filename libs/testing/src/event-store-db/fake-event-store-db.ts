import featureServices from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import streamServices from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { IStreamsServer } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import grpc from '@grpc/grpc-js';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { handleAppend, handleBatchAppend } from './fake-appends.ts';
import { FakeFaults, type FakeFault, type FaultyCall } from './fake-faults.ts';
import { FakeLog, type FakeLogOptions } from './fake-log.ts';
import { serverError } from './fake-messages.ts';
import { handleRead } from './fake-reads.ts';

export interface FakeEventStoreDbOptions extends FakeLogOptions {
  /** 0: any. */
  readonly port: number;
  /** Whether the read of a stream tells positions, as servers of today do and older ones do not. */
  readonly positionsInStreams: boolean;
}

/** A stand-in for an EventStoreDB server, for tests on the wire. */
export interface FakeEventStoreDb {
  readonly url: string;
  readonly port: number;
  readonly log: FakeLog;
  /** How often each call has come. */
  readonly calls: Readonly<Record<FaultyCall | 'batchAppend', number>>;
  /** What happens to the next calls of a kind, one fault each. */
  failNext(call: FaultyCall, faults: readonly FakeFault[]): void;
  /** While false, new connections are refused. */
  reachable: boolean;
  /** Cuts every connection. */
  cut(): void;
  stop(): Promise<void>;
}

const DEFAULTS: FakeEventStoreDbOptions = { port: 0, file: null, firstPosition: 1_197n, positionsInStreams: true };

/**
 * Starts one. It serves the calls of the client's own service definitions; what it keeps of EventStoreDB's rules is said at {@link FakeLog}.
 * It proves an adapter on the wire; it proves nothing of a real server.
 */
export async function startFakeEventStoreDb(options: Partial<FakeEventStoreDbOptions> = {}): Promise<FakeEventStoreDb> {
  const { port: wantedPort, positionsInStreams, ...logOptions } = { ...DEFAULTS, ...options };
  const log = new FakeLog(logOptions);
  const faults = new FakeFaults();
  const calls = { append: 0, batchAppend: 0, read: 0 };
  const sockets = new Set<Socket>();
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  const nextFault = (call: FaultyCall) => (): FakeFault => faults.next(call);
  const appends = { log, cut, nextFault: nextFault('append') };
  const reads = { log, cut, positionsInStreams, nextFault: nextFault('read') };

  const server = new grpc.Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 });
  server.addService(featureServices.ServerFeaturesService, { getSupportedMethods });
  const service: IStreamsServer = {
    append: (call, answer) => {
      calls.append += 1;
      handleAppend(appends, call, answer);
    },
    batchAppend: (call) => {
      calls.batchAppend += 1;
      handleBatchAppend(appends, call);
    },
    read: (call) => {
      calls.read += 1;
      void handleRead(reads, call);
    },
    delete: (_call, answer) => answer(serverError(grpc.status.UNIMPLEMENTED, 'this server deletes nothing')),
    tombstone: (_call, answer) => answer(serverError(grpc.status.UNIMPLEMENTED, 'this server deletes nothing')),
  };
  server.addService(streamServices.StreamsService, service);
  const innerPort = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );

  // Clients come through this door, so that connections can be cut while the server goes on.
  const door = createServer({ noDelay: true }, (client) => {
    if (!fake.reachable) return client.destroy();
    const upstream = connect({ port: innerPort, host: '127.0.0.1', noDelay: true });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve, reject) =>
    door.once('error', reject).listen(wantedPort, '127.0.0.1', () => resolve()),
  );
  const { port } = door.address() as AddressInfo;
  const fake: FakeEventStoreDb = {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    port,
    log,
    calls,
    failNext: (call, planned) => faults.plan(call, planned),
    reachable: true,
    cut,
    stop: async () => {
      const closed = new Promise((resolve) => door.close(resolve));
      cut();
      server.forceShutdown();
      await closed;
      log.close();
    },
  };
  return fake;
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
