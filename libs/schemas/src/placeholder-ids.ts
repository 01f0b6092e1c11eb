/** Ids that clients send by mistake for users whose id they do not know. All their events count for one user. */
export const PLACEHOLDER_IDS = ['undefined', 'null', 'NaN', '[object Object]', '00000000-0000-0000-0000-000000000000'];

/** A warning for operators. */
export const describePlaceholderUsers = (users: number): string =>
  `Users whose id stands for a missing value (${PLACEHOLDER_IDS.join(', ')}): ${users}. Find the client that sends such an id: the events of many people may count for one.`;
