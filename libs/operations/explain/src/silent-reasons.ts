import type { Reasons } from '@laurel/kernel';

/** Ignores every reason; a subclass overrides the ones that it needs. */
export class SilentReasons implements Reasons {
  triggerFired(..._: Parameters<Reasons['triggerFired']>): void {}
  triggerMissed(..._: Parameters<Reasons['triggerMissed']>): void {}
  triggerPassedOver(..._: Parameters<Reasons['triggerPassedOver']>): void {}
  achievementMissed(..._: Parameters<Reasons['achievementMissed']>): void {}
  conditionChecked(..._: Parameters<Reasons['conditionChecked']>): void {}
}
