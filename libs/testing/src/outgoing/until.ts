const LOOK_EVERY_MS = 50;

/** Looks until it is so. @throws Error if it is not within that time */
export async function until(what: string, condition: () => boolean | Promise<boolean>, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`it never was so that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
