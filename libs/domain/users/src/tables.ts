import type { AreaTable } from '@laurel/kernel';
import { counterTable, effectsDigest, effectsTable } from '@laurel/ports';

/** Every event has a row, so the existence of the row is a value of this area. */
export const USERS_EFFECTS = effectsTable(effectsDigest('users', 'true'));

/** The number of users of an account. */
export const USER_COUNTS = counterTable({ name: 'user_counts', key: ['account'], counts: ['users'] });

/** The user's clock from a log position on: the clock in force when an event was recorded. */
export const USER_ZONES: AreaTable = {
  name: 'user_zones',
  onConflict: '',
  digest: ({ ofUsers }) => `
    select row($1::text, user_id, position, zone)::text as value
    from user_zones ${ofUsers}`,
};
