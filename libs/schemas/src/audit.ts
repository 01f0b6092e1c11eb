import { z } from 'zod';
import { actor } from './attribution.ts';
import { instant, nextCursor, nullableText } from './fields.ts';
import { named } from './named-object.ts';

/** `GET /admin/v1/audit`: administrative events of the log (specification, section 9.14). */
const auditEntry = named('AuditEntry', 'Something that a caller, or the process on its own, has done.', {
  id: z.uuid().meta({ description: 'The id of the event.' }),
  type: z.string().meta({
    description: 'The type of the recorded event, such as `ConfigurationPublished` or `WebhookChanged`.',
    examples: ['ApiKeyRevoked'],
  }),
  at: instant.meta({ description: 'When it was recorded.' }),
  by: actor,
  reason: nullableText.meta({ description: 'The reason given for it; null: none.' }),
  userId: nullableText.meta({ description: 'The user whom it concerns; null: none, or one who was erased.' }),
  details: z
    .record(z.string(), z.unknown())
    .meta({ description: 'What else the event holds, by its type; of a publication its version, not the document.' }),
});
export type AuditEntry = z.infer<typeof auditEntry>;

export const auditPage = named('AuditPage', 'A page of the audit log, newest first.', {
  entries: z.array(auditEntry).meta({ description: 'Newest first.' }),
  next: nextCursor,
});
export type AuditPage = z.infer<typeof auditPage>;
