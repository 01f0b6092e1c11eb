export { Explainer } from './explainer.ts';
