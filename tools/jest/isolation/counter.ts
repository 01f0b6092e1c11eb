let loads = 0;

/** How often this module was called. Each test file has its own copy of a source like this one. */
export const count = (): number => ++loads;
