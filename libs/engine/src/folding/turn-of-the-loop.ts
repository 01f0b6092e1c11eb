/** Yields to other work of the process, such as answers and new requests. */
export const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
