export { AdministrationModule } from './administration-module.ts';
export { LiveConfigurations, type PublishingEngine } from './configuration/live-configurations.ts';
export { ProcessOperations, type OperatedEngine } from './operations/process-operations.ts';
export { StoredKeys } from './keys/stored-keys.ts';
export { type AdministrationPorts, type Configurations, type KeyRing, type Operations } from './ports.ts';
