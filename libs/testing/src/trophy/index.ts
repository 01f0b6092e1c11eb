export { describeTrophyClient } from './describe-trophy-client.ts';
