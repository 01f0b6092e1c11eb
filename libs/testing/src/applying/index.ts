export { planOf, type Plan } from './plan.ts';
export {
  applyToUser,
  decodeStates,
  draftOf,
  dueAtOf,
  encodeStates,
  newUser,
  underPlan,
  type UserStates,
} from './user-states.ts';
