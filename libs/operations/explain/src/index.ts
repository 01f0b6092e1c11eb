export { Explainer, MOST_FOLDED_EVENTS, type ExplainerParts } from './explainer.ts';
