/** `1 user`, `2 users`: of what takes an s. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
