export { planOf } from './plan.ts';
export { applyToUser, draftOf, newUser } from './user-states.ts';
