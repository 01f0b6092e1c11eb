export * from './apply-areas.ts';
export * from './area-of.ts';
export * from './correction.ts';
export * from './effects.ts';
export * from './occasion-of.ts';
export * from './occasion.ts';
export * from './per-configuration.ts';
export * from './user-rules.ts';
