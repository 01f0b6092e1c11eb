export { answersTo, findUnguarded } from './guard-matrix.ts';
export { MemoryDataKeys } from '@laurel/event-store/fixtures';
export { MemoryDirectory } from './memory-directory.ts';
export { MemoryIntake } from './memory-intake.ts';
export { historyOf, sampleConfiguration } from './sample-configuration.ts';
export { signIn } from './sign-in.ts';
