export type * from './generated/laurel-api.ts';
export { createLaurelClient, isSendableKey, type LaurelClient, type LaurelClientOptions } from './laurel-client.ts';
export { LaurelError, type LaurelErrorCode, orThrow } from './laurel-error.ts';
export { recordEvent, type MetricEvent, type RecordEventOptions } from './record-event.ts';
