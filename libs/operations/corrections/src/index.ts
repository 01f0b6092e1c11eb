export { LiveCorrections } from './live-corrections.ts';
