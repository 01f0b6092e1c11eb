const FLAGS: ReadonlyMap<unknown, boolean> = new Map([
  ['true', true],
  ['True', true],
  ['1', true],
  ['false', false],
  ['False', false],
  ['0', false],
]);

/** Reads a flag of a query (specification, 2.4). undefined: it is none, or was given twice. */
export const flagOf = (given: unknown): boolean | undefined => FLAGS.get(given);
