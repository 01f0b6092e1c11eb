import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { PartitionBatch, StreamConsumer } from '../event-stream.ts';
import type { GroupMemberParts } from './group-member.ts';
import { KafkaBatchStrategy } from './kafka-batch-strategy.ts';
import { nestLogger } from './nest-log.ts';

/** Nothing to inject: the handler is registered by its pattern. */
@Module({})
class ConsumerModule {}

/** A Nest microservice with one handler, on {@link KafkaBatchStrategy}. */
export async function startConsumer(
  parts: Omit<GroupMemberParts, 'onBatch'>,
  onBatch: (batch: PartitionBatch) => Promise<number>,
): Promise<StreamConsumer> {
  const strategy = new KafkaBatchStrategy(parts);
  strategy.addHandler(parts.subscription.topic, onBatch);
  const microservice = await NestFactory.createMicroservice(ConsumerModule, {
    strategy,
    abortOnError: false,
    ...nestLogger(parts.log),
  });
  await microservice.listen();
  return {
    get assigned() {
      return strategy.assigned;
    },
    health: () => strategy.health(),
    readOn: (partition, offset) => strategy.readOn(partition, offset),
    close: () => microservice.close(),
  };
}
