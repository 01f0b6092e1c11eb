// as: libs/domain/users/src/canary.unit.test.ts
// breaks: nothing
import '@laurel/testing';
