/** `1 user`, `2 users`: for nouns that take an s. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
