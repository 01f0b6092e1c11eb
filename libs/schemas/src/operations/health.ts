import { alive, notReady, ready } from '../health.ts';
import { problem, problemOf } from '../problem.ts';
import { operationsOf } from './operation.ts';

export const HEALTH_OPERATIONS = operationsOf('Health', {
  getHealth: {
    method: 'get',
    path: '/healthz',
    scope: null,
    summary: 'Is the process alive?',
    answers: {
      200: { description: 'The process is alive.', schema: alive, example: { status: 'alive' } },
      503: {
        description: 'The process must be restarted. Only processes of the distributed topology answer this.',
        schema: problem,
        type: 'application/problem+json',
        example: problemOf(
          'unavailable',
          'This process has to be restarted: not in the group laurel.query-gateway for 300 s while the broker answers.',
        ),
      },
    },
  },
  getReadiness: {
    method: 'get',
    path: '/readyz',
    scope: null,
    summary: 'Is the service ready?',
    description: 'The service is ready if stored rows can be read, events can be recorded, and every area keeps up.',
    answers: {
      200: {
        description: 'The service is ready.',
        schema: ready,
        example: {
          status: 'ready',
          components: {
            database: { ok: true },
            events: {
              ok: true,
              detail: { queue: 'open', waiting: 0, stalledSeconds: 0, head: 11, lane: 'open', stalledMs: 0 },
            },
            projections: {
              ok: true,
              detail: {
                users: { position: 11, failure: null },
                streaks: { position: 11, failure: null },
                achievements: { position: 11, failure: null },
                points: { position: 11, failure: null },
                leaderboards: { position: 11, failure: null },
              },
            },
          },
          tzDataVersion: '2025c',
        },
      },
      503: {
        description: 'The service is not ready; `components` says why.',
        schema: notReady,
        type: 'application/problem+json',
        example: {
          ...problemOf('unavailable', 'Not ready: database, events.'),
          components: {
            database: { ok: false, detail: { reason: 'ECONNREFUSED' } },
            events: {
              ok: false,
              detail: { queue: 'down', waiting: 12, stalledSeconds: 10.4, head: 11, lane: 'down', stalledMs: 10_412 },
            },
            projections: { ok: true },
          },
          tzDataVersion: '2025c',
        },
      },
    },
  },
  getMetrics: {
    method: 'get',
    path: '/metrics',
    scope: null,
    summary: 'Read metrics for Prometheus',
    description:
      'By default the standalone answers callers on its own machine only, and the processes of the distributed topology answer ' +
      'everybody; `LAUREL_METRICS` changes that. With `off` the path is unknown.',
    answers: { 200: { description: 'Series in the text format of Prometheus.', schema: null, type: 'text/plain' } },
    problems: ['forbidden'],
  },
});
