// The state that all test files of a worker share, as it was before the first file ran. It is restored after each file,
// so that no file sees what an earlier one changed.

/** Objects of the language and of Node that a test may change; not accessors, which would load what nobody asked for. */
function sharedObjects() {
  const values = Object.values(Object.getOwnPropertyDescriptors(globalThis)).map(({ value }) => value);
  const objects = values.filter((value) => typeof value === 'object' || typeof value === 'function');
  const prototypes = objects.map((value) => value?.prototype);
  return new Set([globalThis, process, ...objects, ...prototypes].filter((value) => value && value !== process.env));
}

const propertiesOf = (object) =>
  new Map(Reflect.ownKeys(object).map((key) => [key, Reflect.getOwnPropertyDescriptor(object, key)]));

const isSame = (one, other) =>
  one !== undefined && ['value', 'get', 'set', 'writable', 'enumerable'].every((key) => one[key] === other[key]);

const listenersOf = () => new Map(process.eventNames().map((name) => [name, process.rawListeners(name)]));

/** Properties of EventEmitter that follow from the listeners, so they are not restored separately. */
const BOOKKEEPING = new Set(['_events', '_eventsCount']);

export class Baseline {
  #objects = new Map([...sharedObjects()].map((object) => [object, propertiesOf(object)]));
  #listeners = listenersOf();
  #env = { ...process.env };
  #folder = process.cwd();

  /**
   * Changes that `load` makes are kept for all files: a package that all files share sets up its needs when it is
   * loaded.
   */
  absorb(load) {
    const objects = new Map([...this.#objects.keys()].map((object) => [object, propertiesOf(object)]));
    const listeners = listenersOf();
    try {
      return load();
    } finally {
      for (const [object, before] of objects) this.#absorbProperties(object, before);
      for (const [name, present] of listenersOf()) {
        const added = present.filter((listener) => !listeners.get(name)?.includes(listener));
        this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), ...added]);
      }
    }
  }

  /** The properties of this object are restored too. */
  guard(object) {
    if (!this.#objects.has(object)) this.#objects.set(object, propertiesOf(object));
  }

  #absorbProperties(object, before) {
    for (const [key, property] of propertiesOf(object)) {
      if (!before.has(key) || !isSame(before.get(key), property)) this.#objects.get(object).set(key, property);
    }
  }

  restore() {
    for (const [name, present] of listenersOf()) {
      const kept = this.#listeners.get(name) ?? [];
      for (const listener of present) if (!kept.includes(listener)) process.removeListener(name, listener);
    }
    for (const [object, properties] of this.#objects) restoreProperties(object, properties);
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    for (const [name, value] of Object.entries(this.#env)) if (process.env[name] !== value) process.env[name] = value;
    if (process.cwd() !== this.#folder) process.chdir(this.#folder);
  }
}

function restoreProperties(object, properties) {
  for (const key of Reflect.ownKeys(object)) {
    // Properties that cannot be removed belong to the test runner, and stay.
    if (!properties.has(key) && !BOOKKEEPING.has(key)) Reflect.deleteProperty(object, key);
  }
  for (const [key, property] of properties) {
    const present = Reflect.getOwnPropertyDescriptor(object, key);
    if (!isSame(present, property) && !BOOKKEEPING.has(key)) Reflect.defineProperty(object, key, property);
  }
}
