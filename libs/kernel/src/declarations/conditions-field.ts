import { conditionsInWords, type WrittenConditions } from '../conditions.ts';

/** The fields of the kinds of triggers that can have conditions. They identify a trigger without a key. */
export const whereUser = {
  holds: 'optional conditions',
  on: ['user'],
  prose:
    'Attributes that the user must have: `user: {KEY: VALUE}`, or a list of values of which one must match. The trigger is judged when it is met; what it would have given otherwise is lost. null: no condition.',
} as const;

export const whereEventOrUser = {
  holds: 'optional conditions',
  on: ['event', 'user'],
  prose:
    'Attributes that the event and the user must have: `event: {KEY: VALUE}`, `user: {KEY: VALUE}`, or a list of values of which one must match. Only values of matching events are counted; the user is judged when a multiple is reached, and what the trigger would have given otherwise is lost. null: no condition.',
} as const;

/** The plan's sentence about changed conditions. */
export const whereChanged = (_: unknown, is: WrittenConditions | null): string =>
  is === null
    ? 'From publication, it fires whatever the attributes are. What it has counted stays.'
    : `From publication, it fires only${conditionsInWords(is)}. What it has counted and given stays.`;

/** Why a trigger whose conditions are not met did not fire. */
export const EVENT_DIFFERS = {
  means: 'the event does not have the attributes that `where.event` requires, so its value is not counted',
  line: () => 'the event does not have the attributes that the trigger requires',
};

export const USER_DIFFERS = {
  means: 'the user did not have the attributes that `where.user` requires',
  line: () => 'the user did not have the attributes that the trigger requires',
};
