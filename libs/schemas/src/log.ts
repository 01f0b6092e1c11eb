import { z } from 'zod';

/** The hash of the log (specification, section 11). */

const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({
    description: 'A SHA-256 in hexadecimal.',
    examples: ['5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
  });

const size = z.number().int().min(0).meta({ description: 'Number of records that it covers.' });
const position = z.number().int().min(0);
const root = sha256.meta({ description: 'The root of the Merkle tree over them (RFC 6962, section 2.1).' });

/** `GET /admin/v1/log/head`. */
export const logHead = z
  .object({
    size,
    root,
    position: position.meta({ description: 'Position of the last record that it covers; 0: none.' }),
    consistency: z.array(sha256).nullable().meta({
      description:
        'The proof that the log begins with what it held at `since` records (RFC 6962, section 2.1.2); null without `since`.',
    }),
  })
  .meta({ id: 'LogHead', description: 'The hash of the log.' });
export type LogHead = z.infer<typeof logHead>;

/** `GET /admin/v1/log/proofs/{eventId}`. */
export const logProof = z
  .object({
    eventId: z.uuid().meta({ description: 'The id of the event.' }),
    position: position.meta({ description: 'Its position.' }),
    index: position.meta({ description: 'Its place among the leaves of the tree, from 0.' }),
    record: z.string().meta({
      description:
        'The text that its hash covers: a JSON array of its stored fields, with personal fields as they are sealed.',
    }),
    path: z.array(sha256).meta({ description: 'The proof that the record is in the tree (RFC 6962, section 2.1.1).' }),
    head: z.object({ size, root }).meta({ description: 'The tree that the proof is for.' }),
  })
  .meta({ id: 'LogProof', description: 'The proof that an event is in the log.' });
export type LogProof = z.infer<typeof logProof>;
