import type { DecidingDependencies } from './decide-commands.ts';

/** Dependencies that refuse no command, unless a test overrides them. */
export const decidingDependencies = (more: Partial<DecidingDependencies> = {}): DecidingDependencies => ({
  store: { findKeys: () => Promise.resolve([]) },
  users: { attributesOf: () => Promise.resolve(new Map()) },
  points: { boostsHeld: () => Promise.resolve(0) },
  imports: { goesOn: () => Promise.resolve(false), isOpen: () => Promise.resolve(false) },
  watch: { look: () => Promise.resolve({ services: [] } as never) },
  awards: { createdAmong: () => Promise.resolve(new Set()), of: () => 0, creates: () => undefined },
  clock: { now: () => 0 },
  ...more,
});
