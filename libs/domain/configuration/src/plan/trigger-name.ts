import type { PointsTriggerDocument } from '@laurel/schemas';

/** How a trigger is called in a path: `.daily` by its key, else by its content: `["10 for every 3 words"]`. */
export function triggerSegment(trigger: PointsTriggerDocument): string {
  return trigger.key === undefined ? `["${triggerContentInWords(trigger)}"]` : `.${trigger.key}`;
}

/** Differs for triggers that differ. */
function triggerContentInWords(trigger: PointsTriggerDocument): string {
  const { points } = trigger;
  switch (trigger.type) {
    case 'metric':
      return `${points} for every ${trigger.threshold} ${trigger.metric}`;
    case 'streak':
      return `${points} for every ${trigger.length} periods of a streak`;
    case 'achievement':
      return `${points} for the achievement ${trigger.achievement}`;
    case 'user_creation':
      return `${points} at creation`;
    case 'time': {
      const from = trigger.activeFrom === null ? '' : ` from ${trigger.activeFrom}`;
      return `${points} every ${intervalInWords(trigger)}${from}`;
    }
  }
}

/** `hour`, `3 days` */
export function intervalInWords({ unit, interval }: PointsTriggerDocument & { type: 'time' }): string {
  return interval === 1 ? unit : `${interval} ${unit}s`;
}
