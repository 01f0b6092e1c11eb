// as: libs/domain/points/src/canary.laws.test.ts
// breaks: no-restricted-properties: gives every law its seed
import fc from 'fast-check';
fc.resetConfigureGlobal();
