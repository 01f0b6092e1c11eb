import { formatInstant } from '@laurel/calendar';
import { levelOf, type Subject } from '@laurel/kernel';
import type { Clock, UserProfile } from '@laurel/ports';
import { jsonAmount, namePointsSystem, standingAnswer, userAnswer, type UserOverview } from '@laurel/schemas';
import type { SupportReads } from '../ports.ts';

interface Found {
  readonly id: string;
  readonly subject: Subject;
  readonly profile: UserProfile;
}

/** A user with all standings as of now. Takes one statement per area. */
export async function userOverview(
  account: string,
  { id, subject, profile }: Found,
  { streaks, achievements, points, configuration }: SupportReads,
  clock: Clock,
): Promise<UserOverview> {
  const at = clock.now();
  const [streak, completed, standings] = await Promise.all([
    streaks.view(account, subject, at),
    achievements.completedBy(account, subject),
    points.standingsBySystem(account, subject, at),
  ]);
  const { pointsSystemByKey } = configuration(account).current;
  const { length, expires, freezes } = streak;
  return {
    ...userAnswer(id, profile),
    metrics: [...profile.totals]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, total]) => ({ key, total: jsonAmount(total) })),
    streak: { length, expires, ...(freezes !== undefined && { freezes }) },
    achievements: [...completed].map(([key, achievedAt]) => ({ key, achievedAt: formatInstant(achievedAt) })),
    points: [...standings].map(([key, standing]) => {
      const system = pointsSystemByKey.get(key);
      return {
        ...namePointsSystem(key),
        ...standingAnswer(system?.levelsBy ?? 'total', standing),
        level: (system && levelOf(system, standing)?.key) ?? null,
      };
    }),
  };
}
