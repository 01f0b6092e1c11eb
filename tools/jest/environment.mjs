// Test files run in Node's own context, not in one of their own each: packages can be shared (runtime.mjs), and what looks up a global is
// several times faster, because a context of `node:vm` asks an interceptor each time.
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { endAsyncContexts } from './async-contexts.mjs';
import { restoreBaseline } from './shared-packages.mjs';

/** Where `expect` keeps its matchers and its state; what it makes itself could not be removed again. */
const MATCHERS = Symbol.for('$$jest-matchers-object');
const NO_MATCHERS = () => ({
  customEqualityTesters: [],
  matchers: Object.create(null),
  state: {
    assertionCalls: 0,
    expectedAssertionsNumber: null,
    isExpectingAssertions: false,
    numPassingAsserts: 0,
    suppressedErrors: [],
  },
});

export default class SharedContext {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  #conditions;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.#conditions = projectConfig.testEnvironmentOptions.customExportConditions;
    Object.defineProperty(globalThis, MATCHERS, { configurable: true, value: NO_MATCHERS() });
    // As in Jest's own environment: the frames of a law and its libraries are many.
    Error.stackTraceLimit = 100;
  }

  exportConditions() {
    return this.#conditions;
  }

  /** None of its own. */
  getVmContext() {
    return undefined;
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    endAsyncContexts();
    restoreBaseline();
  }
}
