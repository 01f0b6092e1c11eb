import { instant } from './configuration-fields.ts';

const bound = (prose: string) => instant.nullable().default(null).describe(`${prose} null: no such bound.`);

/** When events complete an achievement. */
export const activeWindow = {
  activeFrom: bound('Nobody completes the achievement with an event before this instant (UTC), except by hand.'),
  activeUntil: bound('Nobody completes the achievement with an event at this instant (UTC) or later, except by hand.'),
};
