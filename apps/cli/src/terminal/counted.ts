/** For example `1 user` or `2 users`: a count with a noun whose plural ends in s. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
