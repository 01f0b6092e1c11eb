/** For example `1 user` or `2 users`; for nouns with a regular plural. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
