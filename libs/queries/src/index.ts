export { composeEventAnswer } from './answers/event-answer.ts';
export { type QueryPorts } from './ports.ts';
export { QueriesModule } from './queries-module.ts';
