export * from './configuration.ts';
export * from './log.ts';
export * from './message.ts';
export * from './area.ts';
export * from './clock.ts';
export * from './intake.ts';
export * from './reads.ts';
