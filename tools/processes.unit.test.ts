interface Processes {
  freePort(): Promise<number>;
}

describe('a free port', () => {
  it('is another one at each call, though nobody listens on those given before', async () => {
    const { freePort } = (await import(new URL('processes.mjs', import.meta.url).href)) as Processes;
    const ports = await Promise.all(Array.from({ length: 1_000 }, () => freePort()));
    expect(new Set(ports).size).toBe(1_000);
    expect(Math.min(...ports)).toBeGreaterThanOrEqual(15_000);
    expect(Math.max(...ports)).toBeLessThan(30_000);
  });
});
