import { z } from 'zod';
import { apiKey, newApiKey, newKeyRequest } from '../api-key.ts';
import { operationsOf } from './operation.ts';
import { inPath, inQuery } from './parameters.ts';

const API_KEY = inPath('id', z.uuid().meta({ description: 'The key’s id, which is not the key itself.' }));
const REVOCATION_REASON = inQuery(
  'reason',
  z.string().min(1).max(1_000).meta({ description: 'The reason, in your own words. It is recorded.' }),
);

export const KEY_OPERATIONS = operationsOf('Keys', {
  listKeys: {
    method: 'get',
    path: '/admin/v1/keys',
    scope: 'admin',
    summary: 'List the API keys',
    answers: { 200: { description: 'All keys, including revoked ones.', schema: z.array(apiKey) } },
  },
  createKey: {
    method: 'post',
    path: '/admin/v1/keys',
    scope: 'admin',
    summary: 'Create an API key',
    description: 'Only this answer shows the key: Laurel keeps nothing but its hash.',
    body: {
      schema: newKeyRequest,
      example: { label: 'web backend', scopes: ['ingest', 'read'], requestsPerMinute: 600 },
    },
    answers: { 201: { description: 'The key.', schema: newApiKey } },
  },
  revokeKey: {
    method: 'delete',
    path: '/admin/v1/keys/{id}',
    scope: 'admin',
    summary: 'Revoke an API key',
    description: 'Requests with the key are refused from then on. Revoking it again changes nothing.',
    parameters: [API_KEY, REVOCATION_REASON],
    answers: { 200: { description: 'The key’s data, without the key itself.', schema: apiKey } },
    problems: ['unknown_key', 'invalid_request'],
  },
});
