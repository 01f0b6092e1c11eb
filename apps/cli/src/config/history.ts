import type { ConfigurationVersionAnswer } from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { jsonLine } from '../terminal/plain-json.ts';
import { print, printLines } from '../terminal/print.ts';
import { table } from '../terminal/table.ts';
import { ConfigService } from './config-service.ts';

export interface HistoryOptions extends ServiceOptions {
  readonly json?: true;
}

export async function history(options: HistoryOptions, context: CommandContext): Promise<void> {
  const service = await ConfigService.connect(options, context);
  const versions = await service.history();
  if (options.json) await print(context.stdout, jsonLine(versions));
  else await printLines(context.stdout, table(HEADER, versions.map(rowOf)));
}

const HEADER = ['version', 'published', 'metrics', 'streak', 'achievements', 'points systems', 'leaderboards', ''];

const rowOf = (one: ConfigurationVersionAnswer): string[] => [
  String(one.version),
  one.publishedAt,
  String(one.metrics),
  one.streak ? 'yes' : 'no',
  String(one.achievements),
  String(one.pointsSystems),
  String(one.leaderboards),
  one.current ? 'in force' : '',
];
