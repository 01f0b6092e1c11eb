// The rules of laurel.yaml in this folder, as constants: the baselines have them in their code, as a team that builds them
// for itself would. Amounts are millionths, days are counted from 1970-01-01.

export const METRICS = ['lessons', 'words'];
export const SYSTEMS = ['xp', 'gems'];
export const BOARDS = ['lessons', 'weekly-xp'];
export const [LESSONS, WORDS] = METRICS.keys();
export const [XP, GEMS] = SYSTEMS.keys();
export const [LESSONS_BOARD, WEEKLY_XP] = BOARDS.keys();

export const UNITS = 1_000_000;
export const CONDITIONS = [UNITS, 50 * UNITS];

/** In configuration order; `scholar` is made of `ten` and `week`. */
export const ACHIEVEMENTS = ['first', 'ten', 'wordy', 'week', 'scholar'];
export const [FIRST, TEN, WORDY, WEEK, SCHOLAR] = ACHIEVEMENTS.keys();
export const BY_TOTAL = [
  { achievement: FIRST, metric: LESSONS, total: UNITS },
  { achievement: TEN, metric: LESSONS, total: 10 * UNITS },
  { achievement: WORDY, metric: WORDS, total: 1_000 * UNITS },
];
export const WEEK_LENGTH = 7;

export const POINTS = [
  {
    cap: Infinity,
    byMetric: [
      { trigger: 0, metric: LESSONS, threshold: UNITS, points: 10 },
      { trigger: 1, metric: WORDS, threshold: 100 * UNITS, points: 5 },
    ],
    byStreak: { trigger: 2, length: 3, points: 30 },
    byAchievement: { trigger: 3, achievement: SCHOLAR, points: 500 },
  },
  {
    cap: 12,
    byMetric: [{ trigger: 0, metric: WORDS, threshold: 200 * UNITS, points: 5 }],
    byStreak: { trigger: 1, length: 2, points: 2 },
  },
];
/** The systems that a replay names: those with a trigger of the metric. */
export const SYSTEMS_OF_METRIC = [[XP], [XP, GEMS]];
/** The boards that a replay names. */
export const BOARDS_OF_METRIC = [[LESSONS_BOARD, WEEKLY_XP], [WEEKLY_XP]];

/** 2020-01-06, a Monday. */
const FIRST_WEEK = 18_267;
export const runOf = (board, day) => (board === WEEKLY_XP ? Math.floor((day - FIRST_WEEK) / 7) : 0);
export const firstDayOf = (run) => FIRST_WEEK + run * 7;
