// Node updates each AsyncLocalStorage in use whenever a promise or a callback is created, and a storage stays in use
// until it is disabled. jest-circus creates one for each test file and does not disable it, so the hundredth file of a
// worker would pay for a hundred.
import { AsyncLocalStorage } from 'node:async_hooks';

const inUse = new Set();

for (const name of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...parameters) {
    inUse.add(this);
    return original.apply(this, parameters);
  };
}

/** Disables every storage. One that several test files share is enabled again at its next use. */
export function endAsyncContexts() {
  for (const storage of inUse) storage.disable();
  inUse.clear();
}
