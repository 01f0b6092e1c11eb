import type { Configuration } from './configuration.ts';

/** Calls `make` once for each configuration version, and keeps the result for as long as the version is in use. */
export function perConfiguration<Made extends object | null>(
  make: (configuration: Configuration) => Made,
): (configuration: Configuration) => Made {
  const known = new WeakMap<Configuration, Made>();
  let last: { readonly configuration: Configuration; readonly made: Made } | null = null;
  return (configuration) => {
    // Usually the previous event had the same version.
    if (last?.configuration === configuration) return last.made;
    const made = madeOf(configuration);
    last = { configuration, made };
    return made;
  };

  function madeOf(configuration: Configuration): Made {
    const earlier = known.get(configuration);
    if (earlier !== undefined) return earlier;
    const made = make(configuration);
    known.set(configuration, made);
    return made;
  }
}
