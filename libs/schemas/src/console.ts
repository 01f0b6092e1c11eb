import { z } from 'zod';
import { scope } from './api-key.ts';
import { actor } from './attribution.ts';
import { instant } from './fields.ts';
import { text } from './text.ts';
import { named } from './named-object.ts';

/** The routes of the console's sessions (specification, section 12). */

/** The body of `POST /console/session`. */
export const signInRequest = z
  .strictObject({
    key: text(1, 1_024).nullable().optional().meta({ description: 'An API key.' }),
    token: text(1, 1_024).nullable().optional().meta({ description: 'The part of a console link behind its `#`.' }),
  })
  .meta({ id: 'SignInRequest', description: 'Either a key or the token of a link.' });

/** The answer to a sign-in, and an element of `GET /admin/v1/console-sessions`. */
export const consoleSession = named('ConsoleSession', 'A session of somebody who signed in with a browser.', {
  id: z.uuid().meta({ description: 'The id, by which the session is ended.' }),
  by: actor,
  scopes: z.array(scope).meta({ description: 'The scopes that it grants.' }),
  createdAt: instant.meta({ description: 'When it was opened.' }),
  usedAt: instant.meta({ description: 'When it was last used, within a minute.' }),
  expiresAt: instant.meta({
    description: 'When it ends unless it is used: an hour after its last use, at most 12 hours after it was opened.',
  }),
});
export type ConsoleSession = z.infer<typeof consoleSession>;

const missingRoutes = named('MissingRoutes', 'Routes that no process of this installation can answer.', {
  path: z.string().meta({ description: 'The prefix of their paths.', examples: ['/admin/v1/webhooks'] }),
  reason: z.string().meta({ description: 'Why they are refused with `not_in_this_topology`.' }),
});
export type MissingRoutes = z.infer<typeof missingRoutes>;

/** `GET /console/session`. */
export const currentSession = named('CurrentSession', 'The session of the cookie.', {
  session: consoleSession.nullable().meta({ description: 'null: nobody is signed in.' }),
  missing: z.array(missingRoutes).meta({
    description:
      'Routes that this installation cannot answer, so that no page offers them; empty while nobody is signed in.',
  }),
});
export type CurrentSession = z.infer<typeof currentSession>;

/** The body of `POST /admin/v1/console-links`. */
export const consoleLinkRequest = z
  .strictObject({
    scopes: z
      .array(scope)
      .min(1)
      .nullable()
      .optional()
      .meta({ description: 'The scopes of the session; absent: those of the caller.' }),
  })
  .meta({ id: 'ConsoleLinkRequest', description: 'What the link should allow.' });

/** The answer of `POST /admin/v1/console-links`, 201. */
export const consoleLink = named('ConsoleLink', 'A link that opens one session.', {
  url: z.string().meta({
    description: 'Signs a browser in, once. The token follows `#`, which browsers do not send.',
    examples: ['http://localhost:3000/console#token=…'],
  }),
  scopes: z.array(scope).meta({ description: 'The scopes of the session.' }),
  expiresAt: instant.meta({ description: 'When the link expires: 30 minutes after it was created.' }),
});
export type ConsoleLink = z.infer<typeof consoleLink>;
