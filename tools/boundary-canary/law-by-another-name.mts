// as: libs/domain/points/src/canary.laws.test.ts
// breaks: no-restricted-syntax: the rules about seeds go by this name
import { assert } from 'fast-check';
export { assert };
