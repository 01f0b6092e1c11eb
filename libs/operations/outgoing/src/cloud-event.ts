import { formatInstant } from '@laurel/calendar';
import type { Outcome } from './ports.ts';

/** The attributes of CloudEvents 1.0 that an outcome has; its data is the body. */
export function cloudEventOf(account: string, { id, type, timestamp, sequence, body }: Outcome) {
  const { user } = JSON.parse(body) as { readonly user?: { readonly id: string } };
  return {
    specversion: '1.0',
    id,
    source: `/accounts/${account}`,
    type: `laurel.${type}.v1`,
    ...(user && { subject: user.id }),
    time: formatInstant(timestamp),
    sequence: String(sequence),
    datacontenttype: 'application/json',
  };
}
