/** Lets other work of the process (answers, new requests) have its turn. */
export const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
