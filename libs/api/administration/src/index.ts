export { REBUILDS_ELSEWHERE } from './operations/operations-controller.ts';
export { ConfigurationError, readConfiguredFile } from './configuration/configured-file.ts';
export { HeldFile, heldBackAnswer, reportHeldFile } from './configuration/held-file.ts';
export { isDemo, startConfiguration, type ConfigurationStart } from './configuration/start-configuration.ts';
export type { KeyLog } from './keys/key-events.ts';
export { makeFirstKey, openFollowedKeys, openKeys, type Keys } from './keys/open-keys.ts';
export { AdministrationModule } from './administration-module.ts';
export { OutcomesModule } from './outcomes/outcomes-module.ts';
export { LiveConfigurations, type PublishingEngine } from './configuration/live-configurations.ts';
export { ProcessOperations, type OperatedEngine } from './operations/process-operations.ts';
export { VerificationRuns, type RunVerification } from './operations/verifications.ts';
export { reportLowSpace } from './operations/report-low-space.ts';
export { StoredKeys } from './keys/stored-keys.ts';
export {
  type AdministrationPorts,
  type Audit,
  type Configurations,
  type KeyRing,
  type Operations,
  type Rebuilds,
  type SupportReads,
  type Verifications,
} from './ports.ts';
