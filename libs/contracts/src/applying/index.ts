export * from './effects.ts';
export * from './occasion.ts';
export * from './user-rules.ts';
