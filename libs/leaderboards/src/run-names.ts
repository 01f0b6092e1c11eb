import type { RunKey } from '@laurel/contracts';

export type BoardRef = Pick<RunKey, 'account' | 'boardNumber'>;

/** Names for use as keys of a Map; U+0000 occurs in no account. */
export function boardNameOf({ account, boardNumber }: BoardRef): string {
  return `${account}\0${boardNumber}`;
}

export function runNameOf({ account, boardNumber, start }: RunKey): string {
  return `${account}\0${boardNumber}\0${start}`;
}
