import { z } from 'zod';
import { actor, reason } from './attribution.ts';
import { instant, whole } from './fields.ts';
import { named, namedStrictBody } from './named-object.ts';
import { must, mustBeOneOf, text } from './text.ts';
import { SCOPES } from './scopes.ts';

export const scope = z
  .enum(SCOPES, mustBeOneOf(SCOPES))
  .meta({ id: 'Scope', description: 'What a key may be used for.' });

const WHAT_LIMIT = 'a whole number from 1 to 1000000';
const WHAT_EXPIRY = 'an ISO 8601 instant in UTC, like 2026-01-31T12:00:00Z';

/**
 * `POST /admin/v1/keys`. Unlike elsewhere, unknown fields are refused: a misspelt limit would create a key without the
 * limit.
 */
export const newKeyRequest = namedStrictBody('NewKeyRequest', 'The key to create. Unknown fields are refused.', {
  label: text(1, 255).meta({ description: 'A label for the key, such as the name of the backend that uses it.' }),
  scopes: z
    .array(scope, must('a list of scopes'))
    .min(1, must('a list of scopes'))
    .meta({ description: 'The scopes that it grants.', examples: [['ingest', 'read']] }),
  expiresAt: z.iso
    .datetime(must(WHAT_EXPIRY))
    .nullable()
    .optional()
    .meta({ description: 'When the key expires; must be in the future. Absent: never.' }),
  requestsPerMinute: z
    .number(must(WHAT_LIMIT))
    .int(must(WHAT_LIMIT))
    .min(1, must(WHAT_LIMIT))
    .max(1_000_000, must(WHAT_LIMIT))
    .nullable()
    .optional()
    .meta({ description: 'Requests per minute that the key may make; absent: no limit.' }),
  reason,
});
export type NewKeyRequest = z.infer<typeof newKeyRequest>;

/** The query of `DELETE /admin/v1/keys/{id}`. */
export const revokeKeyQuery = z.object({ reason });

/** An element of `GET /admin/v1/keys`, and the answer of `DELETE /admin/v1/keys/{id}`. */
export const apiKey = named('ApiKey', 'An API key, without the key itself.', {
  id: z.uuid().meta({ description: 'The id, by which the key is revoked.' }),
  label: z.string().meta({
    description: 'A label for the key, such as the name of the backend that uses it.',
    examples: ['web backend'],
  }),
  scopes: z.array(scope).meta({ description: 'The scopes that it grants.' }),
  createdAt: instant.meta({ description: 'When it was created.' }),
  createdBy: actor,
  expiresAt: instant.nullable().meta({ description: 'When the key expires; null: never.' }),
  revokedAt: instant.nullable().meta({ description: 'When the key was revoked; null: it is not revoked.' }),
  revokedBy: actor,
  requestsPerMinute: whole
    .nullable()
    .meta({ description: 'Requests per minute that the key may make; null: no limit.' }),
});
export type ApiKeyAnswer = z.infer<typeof apiKey>;

/** The answer of `POST /admin/v1/keys`, 201. */
export const newApiKey = apiKey
  .extend({ key: z.string().meta({ description: 'The key: shown in this answer and never again.' }) })
  .meta({ id: 'CreatedApiKey', description: 'A newly created API key.' });
export type NewApiKeyAnswer = z.infer<typeof newApiKey>;
