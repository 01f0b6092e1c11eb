import { z } from 'zod';
import { erasure } from '../erasure.ts';
import { operationsOf, RECORDING_PROBLEMS } from './operation.ts';
import { USER, inQuery } from './parameters.ts';

const ERASURE_PREVIEW = inQuery(
  'preview',
  z.enum(['true', 'false']).meta({ description: '`true`: show what would change, and change nothing.' }),
);
const ERASED_FROM = inQuery(
  'boards',
  z.enum(['remove', 'anonymous']).meta({
    description:
      'What happens to the user’s places in runs that are not final. `remove` (the default): users below move up. `anonymous`: the places stay, without a name. Places in final runs stay in either case.',
  }),
);
const ERASURE_PREVIEW_ID = inQuery(
  'previewId',
  z.string().meta({ description: '`previewId` of the preview. Required unless `preview` is `true`.' }),
);
const ERASURE_REASON = inQuery(
  'reason',
  z.string().min(1).max(1_000).meta({
    description:
      'The reason. It is recorded in clear text, so it must not name the user. Required unless `preview` is `true`.',
  }),
);

export const ERASURE_OPERATIONS = operationsOf('Support', {
  eraseUser: {
    method: 'delete',
    path: '/admin/v1/users/{id}',
    scope: 'admin',
    summary: 'Erase a user',
    description:
      'Ask with `preview=true` first: nothing changes, and the answer lists every place that holds something of the user. Then name its `previewId` and a reason. Id, name, e-mail, attributes and device tokens are gone for good; metrics, values, instants and the clock stay under a number that leads to nobody. The same id is a new user from then on. Refused while an import is open.',
    parameters: [USER, ERASURE_PREVIEW, ERASED_FROM, ERASURE_PREVIEW_ID, ERASURE_REASON],
    answers: { 200: { description: 'The preview, or the certificate of what was done.', schema: erasure } },
    problems: ['unknown_user', 'invalid_request', 'import_open', ...RECORDING_PROBLEMS],
  },
});
