export { ANSWER_COMPOSERS } from './answers/composers.ts';
export { type QueryPorts } from './ports.ts';
export { QueriesModule } from './queries-module.ts';
