import type { Instant } from '@laurel/calendar';

/** When a trigger fires, or an achievement completes: from `activeFrom`, inclusive, to `activeUntil`, exclusive. */
export interface ActiveWindow {
  /** null: no beginning. */
  readonly activeFrom: Instant | null;
  /** null: no end. */
  readonly activeUntil: Instant | null;
}

export const isActiveAt = ({ activeFrom, activeUntil }: ActiveWindow, at: Instant): boolean =>
  (activeFrom === null || activeFrom <= at) && (activeUntil === null || at < activeUntil);

/** The window, or null if it has neither beginning nor end. */
export const boundedWindow = ({ activeFrom, activeUntil }: ActiveWindow): ActiveWindow | null =>
  activeFrom === null && activeUntil === null ? null : { activeFrom, activeUntil };

export const ACTIVITY_STATUSES = ['active', 'inactive'] as const;
type ActivityStatus = (typeof ACTIVITY_STATUSES)[number];

export const statusAt = (window: ActiveWindow, at: Instant): ActivityStatus =>
  isActiveAt(window, at) ? 'active' : 'inactive';
