export { subjectOf } from '@laurel/ports/fixtures';
