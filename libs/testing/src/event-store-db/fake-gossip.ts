import gossipServices from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossips from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type grpc from '@grpc/grpc-js';
import { randomUUID } from 'node:crypto';
import type { FakeEndpoint } from './fake-refusals.ts';

/** A node as another node sees it. */
export interface FakeMember extends FakeEndpoint {
  readonly isLeader: boolean;
  readonly isAlive: boolean;
}

/** Makes a server tell clients the nodes of its cluster. */
export function addGossip(server: grpc.Server, members: () => readonly FakeMember[]): void {
  const { LEADER, FOLLOWER } = gossips.MemberInfo.VNodeState;
  server.addService(gossipServices.GossipService, {
    read: (_call: unknown, answer: grpc.sendUnaryData<InstanceType<typeof gossips.ClusterInfo>>) =>
      answer(
        null,
        new gossips.ClusterInfo().setMembersList(
          members().map(({ host, port, isLeader, isAlive }) =>
            new gossips.MemberInfo()
              .setInstanceId(new shared.UUID().setString(randomUUID()))
              .setTimeStamp('0')
              .setState(isLeader ? LEADER : FOLLOWER)
              .setIsAlive(isAlive)
              .setHttpEndPoint(new gossips.EndPoint().setAddress(host).setPort(port)),
          ),
        ),
      ),
  });
}
