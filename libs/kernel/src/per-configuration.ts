import type { Configuration } from './configuration.ts';

/** Makes something of each configuration version once, and keeps it for as long as the version is in use. */
export function perConfiguration<Made extends object | null>(
  make: (configuration: Configuration) => Made,
): (configuration: Configuration) => Made {
  const known = new WeakMap<Configuration, Made>();
  let last: { readonly configuration: Configuration; readonly made: Made } | null = null;
  return (configuration) => {
    // Mostly it is that of the event before.
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
