/** The rules for all routes, in short. The specification has the full text. */
export const INTRODUCTION = `Post one event of a user, and get back everything that it caused: totals, achievements, the streak, points, ranks.

**Key.** Every request carries an API key in the header \`X-API-KEY\`, but for those marked as served without one. It is a secret of your backend. Each operation names the scope that the key needs: \`ingest\`, \`read\` or \`admin\`. On the service's Unix socket, which only its own user can open, no key is needed.

**Answers.** Every field is there unless its description says when it is; where there is no value it is \`null\`, an empty list or an empty object. Lists are bare arrays. New fields may come, so ignore those you do not know. Instants are in UTC, \`2026-03-01T20:00:00.000Z\`; dates are \`YYYY-MM-DD\`, on the user's clock unless said otherwise. Totals and points are exact at any size and written digit by digit, also beyond 2⁵³.

**Errors** are \`application/problem+json\` with a \`code\` for programs and a plain sentence. They are looked for in this order: 404 and 405 for the path, 401, 403, 429, 415, 413, 400, 404 for what the path names, 422.

**Retries.** 429 and 503 carry \`Retry-After\`. Nothing was recorded then, unless the code is \`outcome_unknown\`. An event sent again with the same \`Idempotency-Key\` counts once.

**Limits.** A key may have been made with a limit of requests a minute. Every answer to it carries \`RateLimit\` and \`RateLimit-Policy\`.

Unknown query parameters are ignored, and so are unknown fields of a body unless said otherwise. Where there is \`GET\` there is \`HEAD\`.`;
