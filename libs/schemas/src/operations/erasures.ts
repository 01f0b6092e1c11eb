import { erasure } from '../erasure.ts';
import { operationsOf, RECORDING_PROBLEMS } from './operation.ts';
import { ERASED_FROM, ERASURE_PREVIEW, ERASURE_PREVIEW_ID, ERASURE_REASON, USER } from './parameters.ts';

export const ERASURE_OPERATIONS = operationsOf({
  eraseUser: {
    method: 'delete',
    path: '/admin/v1/users/{id}',
    scope: 'admin',
    tag: 'Support',
    summary: 'Erase a user',
    description:
      'Ask with `preview=true` first: nothing changes, and the answer lists every place that holds something of the user. Then name its `previewId` and a reason. Id, name, e-mail, attributes and device tokens are gone for good; metrics, values, instants and the clock stay under a number that leads to nobody. The same id is a new user from then on. Refused while an import is open.',
    parameters: [USER, ERASURE_PREVIEW, ERASED_FROM, ERASURE_PREVIEW_ID, ERASURE_REASON],
    answers: { 200: { description: 'The preview, or the certificate of what was done.', schema: erasure } },
    problems: ['unknown_user', 'invalid_request', 'import_open', ...RECORDING_PROBLEMS],
  },
});
