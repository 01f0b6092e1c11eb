const LOOK_EVERY_MS = 50;

/** Polls until the condition holds. @throws Error if it does not hold in time */
export async function until(what: string, condition: () => boolean | Promise<boolean>, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`it never was so that ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
