import { z } from 'zod';

const description = 'Key of the points system.';

/** The field of an answer that names a points system, and the name that this field had in release 0.1. */
export const pointsSystemFields = {
  pointsSystem: z.string().meta({ description, examples: ['xp'] }),
  system: z.string().meta({
    description: 'The same as `pointsSystem`; it goes with the next release.',
    deprecated: true,
    examples: ['xp'],
  }),
};

export const namePointsSystem = (key: string) => ({ pointsSystem: key, system: key });

/** Renames `system`, the field of release 0.1, to `pointsSystem` in the body of a request. */
export function withPointsSystem(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('system' in body) || 'pointsSystem' in body) return body;
  const { system: pointsSystem, ...others } = body;
  return { ...others, pointsSystem };
}
