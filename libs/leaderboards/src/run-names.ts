import type { RunKey } from '@laurel/contracts';

export type BoardRef = Pick<RunKey, 'account' | 'board'>;

/** Names for use as keys of a Map; U+0000 occurs in no account and in no key. */
export function boardNameOf({ account, board }: BoardRef): string {
  return `${account}\0${board}`;
}

export function runNameOf({ account, board, start }: RunKey): string {
  return `${account}\0${board}\0${start}`;
}
