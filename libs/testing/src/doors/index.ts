export { answersTo, findUnguarded } from './guard-matrix.ts';
export { MemoryIntake } from './memory-intake.ts';
export { historyOf, sampleConfiguration } from './sample-configuration.ts';
