/** The account of all histories. */
export const ACCOUNT = 'default';
