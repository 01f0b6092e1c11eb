import type { FreezeDefinition } from '@laurel/kernel';

/** The fields of freezes in an answer; none without freezes configured. @param freezes how many the user holds */
export function freezeFields(freezes: number, definition: FreezeDefinition | null) {
  if (definition === null) return {};
  const { max, earnEvery, earn } = definition;
  return { freezes, maxFreezes: max, freezeAutoEarnInterval: earnEvery, freezeAutoEarnAmount: earn };
}
