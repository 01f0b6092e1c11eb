export { ANSWER_COMPOSERS } from './answers/composers.ts';
export { liveEvent } from './answers/timeline-answer.ts';
export { QueriesModule } from './queries-module.ts';
