import { z } from 'zod';
import { named } from './named-object.ts';
import { count } from './fields.ts';

/** The hash of the log (specification, section 11). */

const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .meta({
    description: 'A SHA-256 in hexadecimal.',
    examples: ['5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328'],
  });

const size = count.meta({ description: 'Number of records that it covers.' });
const root = sha256.meta({ description: 'The root of the Merkle tree over them (RFC 6962, section 2.1).' });

/** `GET /admin/v1/log/head`. */
export const logHead = named('LogHead', 'The hash of the log.', {
  size,
  root,
  position: count.meta({ description: 'Position of the last record that it covers; 0: none.' }),
  consistency: z.array(sha256).nullable().meta({
    description:
      'The proof that the log begins with what it held at `since` records (RFC 6962, section 2.1.2); null without `since`.',
  }),
});
export type LogHead = z.infer<typeof logHead>;

/** `GET /admin/v1/log/proofs/{eventId}`. */
export const logProof = named('LogProof', 'The proof that an event is in the log.', {
  eventId: z.uuid().meta({ description: 'The id of the event.' }),
  position: count.meta({ description: 'Its position.' }),
  index: count.meta({ description: 'Its place among the leaves of the tree, from 0.' }),
  record: z.string().meta({
    description:
      'The text that its hash covers: a JSON array of its stored fields, with personal fields as they are sealed.',
  }),
  path: z.array(sha256).meta({ description: 'The proof that the record is in the tree (RFC 6962, section 2.1.1).' }),
  head: z.object({ size, root }).meta({ description: 'The tree that the proof is for.' }),
});
export type LogProof = z.infer<typeof logProof>;
