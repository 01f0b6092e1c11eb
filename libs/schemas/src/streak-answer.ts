import type { FreezeDefinition } from '@laurel/kernel';

/** What an answer says of freezes; nothing where none are configured. @param freezes how many the user holds */
export function freezeFields(freezes: number, definition: FreezeDefinition | null) {
  if (definition === null) return {};
  const { max, earnEvery, earn } = definition;
  return { freezes, maxFreezes: max, freezeAutoEarnInterval: earnEvery, freezeAutoEarnAmount: earn };
}
