export { subjectOf } from '@laurel/event-store/fixtures';
