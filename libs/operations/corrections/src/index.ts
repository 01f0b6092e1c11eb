export { LiveCorrections, type LiveCorrectionsParts } from './live-corrections.ts';
