export { describeEventStreamContract, type EventStreamUnderTest } from './event-stream-contract.ts';
export {
  findOrStartTestBroker,
  startProxiedTestBroker,
  startTestBroker,
  startTestCluster,
  type KafkaBroker,
  type KafkaCluster,
  type ProxiedTestBroker,
  type SecuredListener,
} from './kafka-broker.ts';
export { isKafkaRequest } from './kafka-requests.ts';
export { MemoryEventStream, type MemoryEventStreamOptions, type SendFault } from './memory-event-stream.ts';
export { makeTestCertificate, type TestCertificate } from './test-certificate.ts';
export { TokenServer, type TokenRequest } from './token-server.ts';
export { writeAndRead } from './write-and-read.ts';
