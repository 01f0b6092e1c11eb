import type { OutcomeCursor, OutcomeStep } from '../stored/postgres-outcomes.ts';

/** An outcome store in memory with the reader's cursor and the written outcomes, as `type position`. */
export function outcomesInMemory() {
  let cursor: OutcomeCursor | null = null;
  const notified: string[] = [];
  return {
    told: notified,
    position: () => cursor?.position,
    setCursor: (position: number) => void (cursor = { position, sequence: 0 }),
    store: {
      cursor: async () => cursor,
      begin: async (_: string, position: number) => void (cursor = { position, sequence: 0 }),
      write: async (_: string, { to, outcomes }: OutcomeStep) => {
        cursor = to;
        notified.push(...outcomes.map(({ type, position }) => `${type} ${position}`));
        return true;
      },
      deleteOld: async () => 0,
      forget: async () => undefined,
      forgetErased: async () => true,
    },
  };
}
