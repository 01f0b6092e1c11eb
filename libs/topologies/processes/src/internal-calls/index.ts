export { CallError, type CallFailure } from './call-error.ts';
export { InternalClients, type InternalClientsOptions } from './internal-clients.ts';
export { InternalServer, type CallHandler, type CallHandlers, type InternalServerOptions } from './internal-server.ts';
export { addressOf } from './wire.ts';
