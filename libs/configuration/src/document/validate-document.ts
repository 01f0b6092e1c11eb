import { configurationDocument, createSuggest } from '@laurel/contracts';
import type { ConfigurationDocument, Suggest } from '@laurel/contracts';
import type { z } from 'zod';
import { achievementCycles } from './achievement-cycles.ts';
import { faultsOf } from './describe-issue.ts';
import { duplicates } from './duplicates.ts';
import { freezeFaults, leaderboardFaults } from './field-pairs.ts';
import type { Fault } from './problem.ts';
import { unknownReferences } from './references.ts';

export type CheckedDocument =
  | { readonly document: ConfigurationDocument; readonly faults?: undefined }
  | { readonly faults: readonly Fault[]; readonly document?: undefined };

/**
 * Checks a parsed value against all that is required of a configuration document: either the document with all defaults filled
 * in, or every fault. The rules over several fields also look at a document whose fields are wrong. A document from the log is
 * checked by this too: a rule may be relaxed, never tightened.
 */
export function validateDocument(value: unknown): CheckedDocument {
  const suggest = createSuggest();
  const parsed = configurationDocument.safeParse(value);
  const faults = [...(parsed.success ? [] : fieldFaults(parsed.error, value, suggest)), ...ruleFaults(value, suggest)];
  return parsed.success && faults.length === 0 ? { document: parsed.data } : { faults };
}

function fieldFaults(error: z.ZodError, value: unknown, suggest: Suggest): Fault[] {
  // A whole number beyond 2⁵³ is too big twice: for a whole number, and for its bound. The bound is said last.
  const issues = new Map(error.issues.map((issue) => [identityOf(issue), issue]));
  return [...issues.values()].flatMap((issue) => faultsOf(issue, configurationDocument, value, suggest));
}

function identityOf({ code, path, message }: z.core.$ZodIssue): string {
  return JSON.stringify([code === 'custom' ? message : code, path]);
}

function ruleFaults(value: unknown, suggest: Suggest): Fault[] {
  const root = { path: [], value };
  return [
    ...duplicates(root),
    ...unknownReferences(root, suggest),
    ...achievementCycles(root),
    ...freezeFaults(root),
    ...leaderboardFaults(root),
  ];
}
