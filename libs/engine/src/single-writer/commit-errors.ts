import { DuplicateKeyError, isDuplicateKey, isRefusedData } from '@laurel/event-store';
import { RefusedDataError } from '../storage/batch-store.ts';

/** An error of the database as the error that `BatchStore.commitBatch` names; any other is returned as it is. */
export function commitErrorOf(error: unknown): unknown {
  if (isDuplicateKey(error)) return new DuplicateKeyError('an idempotency key of the batch has been used before');
  if (!isRefusedData(error)) return error;
  const { code } = error as { code?: string };
  return new RefusedDataError(`the database refuses a value of the batch (${code})`, { cause: error });
}
