// Starts the built standalone service, for `npm start`.
import { readDotenv } from './read-dotenv.mjs';

const settings = readDotenv();
if (settings !== null) process.argv.push(`--settings=${settings}`);
await import('../apps/standalone/dist/main.js');
