/** The groups of operations, in the order of the document. */
export const TAGS = {
  Events: 'What users do. One event counts for metrics, streak, achievements, points and leaderboards at once.',
  Users: 'Users, what is known of them, and their totals.',
  Achievements: 'What can be completed, and who completed it.',
  Streaks: 'How many periods in a row users have kept at it.',
  Points: 'Points systems, their levels, and the awards of users.',
  Leaderboards: 'Who is ahead, in the present run or in an earlier one.',
  Grants: 'What support gives to users by hand, or takes from them: recorded with who did it and why.',
  Corrections:
    'Recorded events that are to count otherwise, or not at all: previewed, and recorded with who did it and why.',
  Explanations: 'Why a number is what it is, and what an event caused.',
  Import: 'History from another system, with its own instants.',
  Export: 'Everything out again, as NDJSON or CSV, for analysis and for users who ask for their data.',
  Configuration: 'The numbered versions of the configuration document.',
  Operations: 'How the service is, and what it has stored.',
  Support: 'Who is who, and what happened to them.',
  Keys: 'API keys, their scopes and limits.',
  Webhooks: 'Where outcomes are sent, and what became of it.',
  Console: 'Signing in with a browser.',
  Health: 'For load balancers and orchestrators.',
  Documents: 'This description.',
} as const;

export type Tag = keyof typeof TAGS;
