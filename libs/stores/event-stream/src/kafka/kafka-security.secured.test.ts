import { systemClock } from '@laurel/testing/clock';
import { startTestBroker, writeAndRead, type SecuredListener } from '@laurel/testing/event-stream';
import { Logger } from '@nestjs/common';
import type { KafkaSettings } from './kafka-client.ts';
import { KafkaEventStream } from './kafka-event-stream.ts';

Logger.overrideLogger(false);

/** With LAUREL_KAFKA_BROKERS the broker is not ours to be told how to listen. */
const describeWithOwnBroker = process.env['LAUREL_KAFKA_BROKERS'] ? describe.skip : describe;

describeWithOwnBroker('brokers that ask for TLS and SASL', () => {
  let broker: Awaited<ReturnType<typeof startTestBroker>>;
  let listener: SecuredListener;
  const opened: KafkaEventStream[] = [];

  beforeAll(async () => {
    broker = await startTestBroker({ secured: true });
    listener = broker.secured as SecuredListener;
  });
  afterAll(async () => {
    await Promise.all(opened.map((stream) => stream.close()));
    await broker.dispose();
  });

  const as = (mechanism: 'plain' | 'scram-sha-512', password = listener.password) => ({
    mechanism,
    username: listener.username,
    password,
  });
  const streamOf = (more: Partial<KafkaSettings>): KafkaEventStream => {
    const stream = new KafkaEventStream({ brokers: listener.brokers, clientId: 'test', clock: systemClock, ...more });
    opened.push(stream);
    return stream;
  };

  it.each(['plain', 'scram-sha-512'] as const)('can be written to and read from with %s', async (mechanism) => {
    const stream = streamOf({ tls: { ca: listener.certificate }, sasl: as(mechanism) });
    expect(await writeAndRead(stream, `secured-${mechanism}`)).toEqual(['1']);
  });

  it.each([
    [
      'a wrong password',
      () => ({ tls: { ca: listener.certificate }, sasl: as('scram-sha-512', 'wrong') }),
      'invalid credentials',
    ],
    ['a client without credentials', () => ({ tls: { ca: listener.certificate } }), 'Closed connection'],
    ['a client that does not trust the certificate', () => ({ tls: {}, sasl: as('plain') }), 'self-signed certificate'],
    [
      'a client that connects to another host name',
      () => ({
        brokers: listener.brokers.map((broker) => broker.replace('127.0.0.1', 'localhost')),
        tls: { ca: listener.certificate },
        sasl: as('plain'),
      }),
      "does not match certificate's",
    ],
    ['a client without TLS', () => ({ sasl: as('plain') }), 'Closed connection'],
  ])('refuse %s', async (_who, settings, why) => {
    const stream = streamOf(settings());
    const reach = async (): Promise<void> => {
      await stream.openProducer();
      await stream.ping();
    };
    await expect(reach()).rejects.toThrow(why);
  });
});
