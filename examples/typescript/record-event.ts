// Records an event with the TypeScript client and prints what it caused.
// LAUREL_URL and LAUREL_API_KEY name the service.
import { createLaurelClient, LaurelError, orThrow, recordEvent } from '@laurel/client';

const { LAUREL_URL: url = 'http://127.0.0.1:3000', LAUREL_API_KEY: apiKey = '' } = process.env;
const laurel = createLaurelClient({ url, apiKey });
const params = { path: { id: 'ada' } };

try {
  // The key makes the lesson count once, however often this program is run.
  const answer = await recordEvent(
    laurel,
    'lessons',
    { user: { id: 'ada', name: 'Ada', tz: 'Europe/London' }, value: 1 },
    { idempotencyKey: 'lesson-42', waitForPendingMs: 10_000 },
  );
  console.log(`lessons: ${answer.total}`);
  for (const { name } of answer.achievements) console.log(`achievement: ${name}`);
  for (const [key, { added, total }] of Object.entries(answer.points)) console.log(`${key}: ${added} → ${total}`);

  const { length } = await orThrow(laurel.GET('/v1/users/{id}/streak', { params }));
  console.log(`streak: ${length}`);
} catch (error) {
  if (!(error instanceof LaurelError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
} finally {
  await laurel.close();
}
