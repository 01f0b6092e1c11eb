import { configurationJsonSchema, documentWarnings } from '@laurel/configuration';
import type { ConfigurationDocument } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { plainText } from '../plain-text.ts';
import type { AnswerOptions } from '../service/service-options.ts';
import { counted } from '../terminal/counted.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { problemLines, readConfigurationFile, writeWarnings } from './configuration-file.ts';

export async function validate(file: string, options: AnswerOptions, context: CommandContext): Promise<void> {
  const { document, problems = [], more = false } = await readConfigurationFile(file);
  const warnings = document ? documentWarnings(document) : [];
  if (options.json) await print(context.stdout, jsonLine({ problems, ...(more && { more }), warnings }));
  else {
    writeWarnings(warnings, context);
    await printLines(
      context.stdout,
      document ? [`${plainText(file)} can be used: ${contentOf(document)}`] : problemLines(problems, more),
    );
  }
  if (!document) context.setExitCode(1);
}

function contentOf({ metrics, streak, achievements, points, leaderboards }: ConfigurationDocument): string {
  return [
    counted(metrics.length, 'metric'),
    streak === undefined ? 'no streaks' : `${streak.frequency} streaks`,
    counted(achievements.length, 'achievement'),
    counted(points.length, 'points system'),
    counted(leaderboards.length, 'leaderboard'),
  ].join(', ');
}

export const printSchema = ({ stdout }: CommandContext): Promise<void> =>
  print(stdout, `${JSON.stringify(configurationJsonSchema(), null, 2)}\n`);
