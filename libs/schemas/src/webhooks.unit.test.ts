import { newWebhookRequest, webhookReplayRequest } from './webhooks.ts';
import { readRequest } from './read-request.ts';

const NOT_A_TYPE = 'must be a type of outcomes, like achievement.completed';

describe('the types of a webhook', () => {
  const refusals = (types: unknown) =>
    readRequest(newWebhookRequest, { url: 'https://example.com', types }).errors.map(({ message }) => message);

  it('are the public outcome types', () => {
    expect(refusals(['streak.lost', 'emails.recap_due'])).toEqual([]);
    expect(refusals(null)).toEqual([]);
  });

  it.each([
    ['streak.lots', " (did you mean 'streak.lost'?)"],
    ['Achievement.Completed', " (did you mean 'achievement.completed'?)"],
    ['points.change', " (did you mean 'points.changed'?)"],
    ['nothing.like_it_at_all', ''],
    ['', ''],
    ['x'.repeat(60_000), ''],
  ])('are refused if one is %s, with the nearest known type', (type, nearest) => {
    expect(refusals([type])).toEqual([`${NOT_A_TYPE}${nearest}`]);
    expect(readRequest(webhookReplayRequest, { from: 1, types: [type] }).errors).toEqual([
      { path: 'types.0', message: `${NOT_A_TYPE}${nearest}` },
    ]);
  });
});
