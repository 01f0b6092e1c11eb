/** The only account that an installation serves. */
export const ACCOUNT = 'default';
