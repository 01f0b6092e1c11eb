// Test files run in the main context of Node instead of one context each. So they can share packages (runtime.mjs), and
// globals are accessed several times faster, because every access in a context of `node:vm` calls an interceptor.
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { endAsyncContexts } from './async-contexts.mjs';
import { restoreBaseline } from './shared-packages.mjs';

/**
 * The property of `globalThis` where `expect` keeps its matchers and its state. If `expect` created this property
 * itself, it could not be removed again.
 */
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
    // The same limit as in Jest's own environment: a law and its libraries have many frames.
    Error.stackTraceLimit = 100;
  }

  exportConditions() {
    return this.#conditions;
  }

  /** Returns undefined, because there is no separate context. */
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
