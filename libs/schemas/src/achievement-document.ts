import { z } from 'zod';
import { achievementTriggerDocument } from './achievement-trigger-document.ts';
import { activeWindow } from './activity-document.ts';
import { conditions } from './conditions-document.ts';
import { badgeUrl, description, key, name, ownKey } from './configuration-fields.ts';

/** An achievement of the document (specification, section 5). */
export const achievementDocument = z
  .strictObject({
    key: ownKey,
    name,
    description,
    badgeUrl,
    group: key
      .nullable()
      .default(null)
      .describe(
        'Key of your choice: achievements with the same group belong together. Answers show it; nothing depends on it. null: no group.',
      ),
    tier: z
      .int()
      .nullable()
      .default(null)
      .describe(
        'Place of the achievement among those of its group, such as 1 for bronze and 2 for silver. Answers show it; nothing depends on it. null: no tier.',
      ),
    hidden: z
      .boolean()
      .default(false)
      .describe('Whether lists show the achievement only to users who have completed it. It completes like any other.'),
    ...activeWindow,
    where: conditions(['event', 'user'])
      .nullable()
      .default(null)
      .describe(
        'Attributes that the event and the user must have, beside trigger: `event: {KEY: VALUE}` with trigger type metric, `user: {KEY: VALUE}` with every type but api, or a list of values of which one must match. With event, only values of matching events are summed, from the publication on. With user, the user completes the achievement with their first event, of any kind, at which it is reached and they match. null: no condition.',
      ),
    trigger: achievementTriggerDocument.describe('What completes the achievement.'),
  })
  .describe('A user completes an achievement once and keeps it.');
