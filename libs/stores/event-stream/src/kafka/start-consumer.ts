import 'reflect-metadata';
import { Catch, Module, type DynamicModule, type RpcExceptionFilter, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { throwError, type Observable } from 'rxjs';
import { PARTITION_HANDLER, type PartitionHandler, type StreamConsumer } from '../event-stream.ts';
import type { GroupMemberDependencies } from './group-member.ts';
import { KafkaBatchStrategy } from './kafka-batch-strategy.ts';
import { nestLogger } from './nest-log.ts';

export interface ConsumerDependencies extends Omit<GroupMemberDependencies, 'onBatch' | 'onAssigned'> {
  readonly handler: PartitionHandler;
  /** See `KafkaSettings.controllers`; null if the handler gets the batches directly. */
  readonly controllers: readonly Type[] | null;
}

@Module({})
class ConsumerModule {
  static for(handler: PartitionHandler, controllers: readonly Type[]): DynamicModule {
    return {
      module: ConsumerModule,
      controllers: [...controllers],
      providers: [{ provide: PARTITION_HANDLER, useValue: handler }],
    };
  }
}

/** Passes errors on unchanged; by default, Nest replaces an unknown error by one that says nothing. */
@Catch()
class AsItIs implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/**
 * A Nest microservice on {@link KafkaBatchStrategy}.
 * @throws Error if no controller has a handler for the topic
 */
export async function startConsumer({ handler, controllers, ...parts }: ConsumerDependencies): Promise<StreamConsumer> {
  const strategy = new KafkaBatchStrategy({
    ...parts,
    onAssigned: (partitions) => handler.onAssigned(partitions),
  });
  if (controllers === null) strategy.addHandler(parts.subscription.topic, (batch) => handler.onBatch(batch));
  const microservice = await NestFactory.createMicroservice(ConsumerModule.for(handler, controllers ?? []), {
    strategy,
    abortOnError: false,
    ...nestLogger(parts.log),
  });
  microservice.useGlobalFilters(new AsItIs());
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
