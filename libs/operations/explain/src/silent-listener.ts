import type { ExplanationListener } from '@laurel/kernel';

/** Ignores every reason; a subclass overrides the ones that it needs. */
export class SilentListener implements ExplanationListener {
  triggerFired(..._: Parameters<ExplanationListener['triggerFired']>): void {}
  triggerMissed(..._: Parameters<ExplanationListener['triggerMissed']>): void {}
  triggerPassedOver(..._: Parameters<ExplanationListener['triggerPassedOver']>): void {}
  achievementMissed(..._: Parameters<ExplanationListener['achievementMissed']>): void {}
  conditionChecked(..._: Parameters<ExplanationListener['conditionChecked']>): void {}
}
