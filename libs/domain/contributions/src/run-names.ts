import type { Configuration, RunKey, BoardRun } from '@laurel/kernel';

export type BoardRef = Pick<RunKey, 'account' | 'boardNumber'>;

/** @throws RangeError if no version of the configuration names the board */
export const runKeyOf = (
  { account, names }: Pick<Configuration, 'account' | 'names'>,
  board: string,
  { start }: Pick<BoardRun, 'start'>,
): RunKey => ({ account, board, boardNumber: names.boards.numberOf(board), start });

/** Names for use as keys of a Map; U+0000 occurs in no account. */
export function boardNameOf({ account, boardNumber }: BoardRef): string {
  return `${account}\0${boardNumber}`;
}

export function runNameOf({ account, boardNumber, start }: RunKey): string {
  return `${account}\0${boardNumber}\0${start}`;
}
