import { type DynamicModule, Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { principalOf } from '@laurel/runtime';
import type { FastifyInstance } from 'fastify';
import { INGESTION_PORTS, type IngestionPorts } from './ports.ts';
import { recordBatch } from './record-batch.ts';
import { recordEvent } from './record-event.ts';

const BATCH_BODY_LIMIT = 8 * 1024 * 1024;

/**
 * The doors through which events come in. They are Fastify routes inside the Nest application: on the event route, the hot one,
 * a Nest controller's pipeline would cost about as much as the route itself.
 */
@Module({})
export class IngestionModule implements OnModuleInit {
  readonly #host: HttpAdapterHost;
  readonly #ports: IngestionPorts;

  constructor(@Inject(HttpAdapterHost) host: HttpAdapterHost, @Inject(INGESTION_PORTS) ports: IngestionPorts) {
    this.#host = host;
    this.#ports = ports;
  }

  static register(ports: IngestionPorts): DynamicModule {
    return { module: IngestionModule, providers: [{ provide: INGESTION_PORTS, useValue: ports }] };
  }

  onModuleInit(): void {
    registerRoutes(this.#host.httpAdapter.getInstance<FastifyInstance>(), this.#ports);
  }
}

function registerRoutes(fastify: FastifyInstance, ports: IngestionPorts): void {
  const ingest = { config: { scope: 'ingest' } } as const;
  for (const path of ['/api/metrics/:key/event', '/v1/metrics/:key/event'])
    fastify.post(path, ingest, (request, reply) => recordEvent(ports, request, reply));
  const batch = { config: { scope: 'admin', bodyLimit: BATCH_BODY_LIMIT } } as const;
  fastify.post('/admin/v1/metrics/events', batch, (request) => recordBatch(ports, request));
  fastify.post('/admin/v1/imports/finish', { config: { scope: 'admin' } }, (request) =>
    ports.intake.finishImport(principalOf(request).account),
  );
}
