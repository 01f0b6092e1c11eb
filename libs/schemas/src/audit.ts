import { z } from 'zod';
import { actor } from './attribution.ts';
import { instant } from './fields.ts';

/** `GET /admin/v1/audit`: administrative events of the log (specification, section 9.14). */
const auditEntry = z
  .object({
    id: z.uuid().meta({ description: 'The id of the event.' }),
    type: z.string().meta({
      description: 'The type of the recorded event, such as `ConfigurationPublished` or `WebhookChanged`.',
      examples: ['ApiKeyRevoked'],
    }),
    at: instant.meta({ description: 'When it was recorded.' }),
    by: actor,
    reason: z.string().nullable().meta({ description: 'The reason given for it; null: none.' }),
    userId: z
      .string()
      .nullable()
      .meta({ description: 'The user whom it concerns; null: none, or one who was erased.' }),
    details: z
      .record(z.string(), z.unknown())
      .meta({ description: 'What else the event holds, by its type; of a publication its version, not the document.' }),
  })
  .meta({ id: 'AuditEntry', description: 'Something that a caller, or the process on its own, has done.' });
export type AuditEntry = z.infer<typeof auditEntry>;

export const auditPage = z
  .object({
    entries: z.array(auditEntry).meta({ description: 'Newest first.' }),
    next: z
      .string()
      .nullable()
      .meta({ description: 'Pass it as `cursor` for the next page; null: this is the last page.' }),
  })
  .meta({ id: 'AuditPage', description: 'A page of the audit log, newest first.' });
export type AuditPage = z.infer<typeof auditPage>;
