import { z } from 'zod';
import {
  configurationPlan,
  configurationRequest,
  configurationVersion,
  publishedConfiguration,
} from '../configuration-version.ts';
import { operationsOf } from './operation.ts';
import { inPath } from './parameters.ts';

const EXAMPLE = {
  document: {
    version: 1,
    metrics: [
      { key: 'lessons', name: 'Lessons finished' },
      { key: 'words', name: 'Words learned' },
    ],
    streak: { frequency: 'daily', conditions: [{ metric: 'lessons', threshold: 1 }] },
  },
};

const WRITTEN_EXAMPLE = {
  text: `# What learners do
version: 1
metrics:
  - { key: lessons, name: Lessons finished }
  - { key: words, name: Words learned }
streak:
  frequency: daily
  conditions: [{ metric: lessons, threshold: 1 }]
`,
};

const VERSION = inPath(
  'version',
  z.string().meta({
    description: 'The number of a version, or `current`.',
    examples: ['current', '3'],
    pattern: '^(current|[1-9][0-9]*)$',
  }),
);

export const CONFIGURATION_OPERATIONS = operationsOf('Configuration', {
  listConfigurations: {
    method: 'get',
    path: '/admin/v1/configurations',
    scope: 'admin',
    summary: 'List the published versions',
    answers: { 200: { description: 'The versions, oldest first.', schema: z.array(configurationVersion) } },
  },
  publishConfiguration: {
    method: 'post',
    path: '/admin/v1/configurations',
    scope: 'admin',
    summary: 'Publish a configuration',
    description:
      'The new version applies to every event recorded after it. The document replaces the whole one in force, so start from `GET /admin/v1/configurations/current`. Send it as `text`, so that its comments and its order are kept. Send the `id` of its plan as `plan`, so that you do not overwrite what somebody else has published since: the answer is then 422 `stale_plan`. A document with mistakes is refused with 422, which lists up to 1,000 of them.',
    body: { schema: configurationRequest, example: WRITTEN_EXAMPLE },
    answers: {
      200: {
        description:
          'The document is already in force; nothing was published. Its text, if sent, replaces the one shown.',
        schema: publishedConfiguration,
      },
      201: { description: 'Published as the next version.', schema: publishedConfiguration },
    },
    problems: ['stale_plan'],
  },
  planConfiguration: {
    method: 'post',
    path: '/admin/v1/configurations/plan',
    scope: 'admin',
    summary: 'Show what publishing a configuration would change',
    description: 'Nothing is published.',
    body: { schema: configurationRequest, example: EXAMPLE },
    answers: { 200: { description: 'The changes, item by item.', schema: configurationPlan } },
  },
  getConfiguration: {
    method: 'get',
    path: '/admin/v1/configurations/{version}',
    scope: 'admin',
    summary: 'Show a published version',
    parameters: [VERSION],
    answers: { 200: { description: 'The version, its document and its text.', schema: publishedConfiguration } },
    problems: ['unknown_configuration'],
  },
});
