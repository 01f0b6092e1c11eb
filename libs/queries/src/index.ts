export { composeEventAnswer } from './answers/event-answer.ts';
export { writeEventAnswer } from './answers/event-answer-text.ts';
export { type QueryPorts } from './ports.ts';
export { QueriesModule } from './queries-module.ts';
export { composeCompletionAnswer } from './answers/completion-answer.ts';
export { userAnswer } from './answers/user-answer.ts';
