let loads = 0;

/** How often this module was asked; of a source, each test file has a copy. */
export const count = (): number => ++loads;
