import {
  correctEventsRequest,
  correctionAnswer,
  correctionPreviewAnswer,
  previewCorrectionRequest,
} from '../corrections.ts';
import { operationsOf, RECORDING_PROBLEMS } from './operation.ts';
import { CORRECTION_KEY } from './parameters.ts';

const EXAMPLE = { corrections: [{ eventId: '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a', retract: true }] };

export const CORRECTION_OPERATIONS = operationsOf('Corrections', {
  previewCorrection: {
    method: 'post',
    path: '/admin/v1/corrections/previews',
    scope: ['support', 'admin'],
    summary: 'See what a correction would do',
    description:
      'Shows what changes for each user: totals, points and levels, achievements, streak and freezes, and values in leaderboard runs. Nothing is recorded. The `id` stands for this request and the corrections before it. It stays valid over a restart; a later correction of one of the users makes it stale.',
    body: { schema: previewCorrectionRequest, example: EXAMPLE },
    answers: { 200: { description: 'What would change.', schema: correctionPreviewAnswer } },
    problems: ['unknown_event', 'import_open', 'not_in_this_topology', 'overloaded', 'state_damaged'],
  },
  correctEvents: {
    method: 'post',
    path: '/admin/v1/corrections',
    scope: ['support', 'admin'],
    summary: 'Correct recorded events',
    description:
      'Recorded as one event for each user, with who made the correction and why. From then on the user’s state is what it would be if the events had been recorded as corrected; earlier answers stay as they were. The request needs the `id` of a preview of the same request, made after its users were last corrected. To undo a correction, retract its own event.',
    parameters: [CORRECTION_KEY],
    body: {
      schema: correctEventsRequest,
      example: { ...EXAMPLE, preview: '6f1e2d3c4b5a69788796a5b4c3d2e1f0', reason: 'The lesson was sent twice.' },
    },
    answers: {
      201: { description: 'Recorded.', schema: correctionAnswer },
      202: { description: 'A replay: the key was used before, and nothing changed.', schema: correctionAnswer },
    },
    problems: ['unknown_event', 'import_open', 'stale_preview', 'not_in_this_topology', ...RECORDING_PROBLEMS],
  },
});
