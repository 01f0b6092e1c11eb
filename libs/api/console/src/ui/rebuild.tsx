import type { Schemas } from '../api/client.ts';
import { Chip } from './elements.tsx';
import { whole } from './format.ts';

const TONES = { failed: 'bad', done: 'good', running: 'accent' } as const;

/** The progress of a rebuild. */
export const RebuildProgress = ({ rebuild }: { readonly rebuild: Schemas['Rebuild'] }) => (
  <>
    <p>
      <Chip tone={TONES[rebuild.state]}>{rebuild.state}</Chip> {whole(rebuild.applied)} of {whole(rebuild.head)} events
    </p>
    <progress max={Math.max(1, rebuild.head)} value={rebuild.applied} aria-label="Events applied again" />
    {rebuild.error !== null && <p class="refusal">{rebuild.error}</p>}
  </>
);
