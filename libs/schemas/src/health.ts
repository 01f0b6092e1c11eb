import { z } from 'zod';
import { problem } from './problem.ts';
import { named } from './named-object.ts';

/** `GET /healthz`. */
export const alive = named('Alive', 'The process is alive.', {
  status: z
    .literal('alive')
    .meta({ description: 'Always `alive`. Otherwise the answer is 503, or there is no answer.' }),
});

const component = named('ComponentHealth', 'The health of one component.', {
  ok: z.boolean().meta({ description: 'Whether the component works.' }),
  detail: z
    .record(z.string(), z.unknown())
    .optional()
    .meta({ description: 'Details by name, which differ by component.' }),
});

const readiness = {
  components: z
    .record(z.string(), component)
    .meta({ description: '`database`, `events` (the single-writer queue) and `projections` (the areas).' }),
  tzDataVersion: z
    .string()
    .optional()
    .meta({ description: 'Release of the time zone database in use.', examples: ['2025c'] }),
  clock: z.string().optional().meta({ description: 'Only if LAUREL_CLOCK is set: a note that says so.' }),
  damaged: z
    .string()
    .optional()
    .meta({ description: 'Only if the stored state of users is damaged: who they are, and how to repair it.' }),
  sweeps: z
    .string()
    .optional()
    .meta({ description: 'Only while what falls due could not be settled for five minutes.' }),
  outcomes: z.string().optional().meta({ description: 'Only while no outcomes could be made for five minutes.' }),
  webhooks: z
    .string()
    .optional()
    .meta({ description: 'Only while webhooks are disabled or behind: how many, and how to list them.' }),
  configuration: z
    .string()
    .optional()
    .meta({ description: 'Only while the file of LAUREL_CONFIG is not published: why, and what to do.' }),
};

/** `GET /readyz`. */
export const ready = named('Ready', 'The service is ready.', {
  status: z.literal('ready').meta({ description: 'Always `ready`. Otherwise the answer is 503.' }),
  ...readiness,
});

/** `GET /readyz`, 503. */
export const notReady = problem
  .extend(readiness)
  .meta({ id: 'NotReady', description: 'The service is not ready; an error, as `application/problem+json`.' });
