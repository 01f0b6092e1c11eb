import type { EventStream } from '../event-stream.ts';
import { systemClock } from '@laurel/testing/clock';
import { describeEventStreamContract, findOrStartTestBroker } from '@laurel/testing/event-stream';
import { Logger } from '@nestjs/common';
import { KafkaEventStream } from './kafka-event-stream.ts';

Logger.overrideLogger(false);

describeEventStreamContract('the adapter on Kafka', async () => {
  const brokers = await findOrStartTestBroker();
  const opened: EventStream[] = [];
  const open = (): Promise<EventStream> => {
    const settings = { brokers, clientId: `process-${opened.length}`, clock: systemClock, sessionTimeoutMs: 6_000 };
    const stream = new KafkaEventStream(settings);
    opened.push(stream);
    return Promise.resolve(stream);
  };
  return { open, close: async () => void (await Promise.all(opened.map((stream) => stream.close()))) };
});
