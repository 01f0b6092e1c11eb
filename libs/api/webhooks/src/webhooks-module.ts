import { type DynamicModule, Module } from '@nestjs/common';
import { WEBHOOK_PORTS, WebhooksController, type WebhookPorts } from './routes/webhooks-controller.ts';

/** The HTTP API of the endpoints of an account. */
@Module({})
export class WebhooksModule {
  static register(ports: WebhookPorts): DynamicModule {
    return {
      module: WebhooksModule,
      controllers: [WebhooksController],
      providers: [{ provide: WEBHOOK_PORTS, useValue: ports }],
    };
  }
}
