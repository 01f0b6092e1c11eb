// Node asks each AsyncLocalStorage in use whenever a promise or a callback is made, and one stays in use until somebody disables it.
// jest-circus makes one per test file and leaves it: the hundredth file of a worker would pay for a hundred.
import { AsyncLocalStorage } from 'node:async_hooks';

const inUse = new Set();

for (const name of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...parameters) {
    inUse.add(this);
    return original.apply(this, parameters);
  };
}

/** Ends every context. A storage that several test files share works again when it is used next. */
export function endAsyncContexts() {
  for (const storage of inUse) storage.disable();
  inUse.clear();
}
