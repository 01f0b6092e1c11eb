export * from './area-of.ts';
export * from './effects.ts';
export * from './message-codec.ts';
export * from './occasion.ts';
export * from './per-configuration.ts';
export * from './user-rules.ts';
