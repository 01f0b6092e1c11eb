export {
  ConfigurationError,
  chooseConfiguration,
  publishIfChanged,
  type ChosenConfiguration,
} from './configuration/choose-configuration.ts';
export { makeFirstKey, openFollowedKeys, openKeys, type Keys } from './keys/open-keys.ts';
export { AdministrationModule } from './administration-module.ts';
export { LiveConfigurations, type PublishingEngine } from './configuration/live-configurations.ts';
export { ProcessOperations, type OperatedEngine } from './operations/process-operations.ts';
export { StoredKeys } from './keys/stored-keys.ts';
export { type AdministrationPorts, type Configurations, type KeyRing, type Operations } from './ports.ts';
