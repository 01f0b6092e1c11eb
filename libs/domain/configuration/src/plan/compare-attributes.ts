import type { AttributesDocument } from '@laurel/schemas';
import { added, changedFields, removed, type Change } from './change.ts';

const ONLY_CHECKED = 'Documents are checked by it; nothing changes for users.';

/** Compares the attributes that conditions may name. */
export function compareAttributes(
  before: AttributesDocument | undefined,
  after: AttributesDocument | undefined,
): Change[] {
  if (before === undefined) return after === undefined ? [] : [added('attributes', after, ONLY_CHECKED)];
  if (after === undefined) return [removed('attributes', before, ONLY_CHECKED)];
  return changedFields('attributes', before, after, { user: ONLY_CHECKED, event: ONLY_CHECKED });
}
