export { answersTo, findUnguarded } from './guard-matrix.ts';
export { MemoryDataKeys, MemoryDirectory } from './memory-directory.ts';
export { MemoryIntake } from './memory-intake.ts';
export { historyOf, sampleConfiguration } from './sample-configuration.ts';
