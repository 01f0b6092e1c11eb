import { formatInstant, localDate, type Instant } from '@laurel/calendar';
import { readEnvironment } from '@laurel/runtime/surroundings';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { connectService, type ServiceConnection } from '../service/service-connection.ts';
import type { ServiceOptions } from '../service/service-options.ts';
import { printLines } from '../terminal/print.ts';
import { countUsers, countUsersOfRun, instantOf, readNumbers } from './demo-reads.ts';
import { demoSummary, lookFurther } from './demo-summary.ts';
import { demoHistory, runOf, type DemoEvent, type DemoPlan } from './rules/demo-history.ts';
import { sendHistory } from './send-history.ts';

export interface DemoOptions extends ServiceOptions {
  readonly seed: number;
  readonly users: number;
  readonly days: number;
  readonly until?: Instant;
  readonly force?: true;
}

const DAY_MS = 86_400_000;

export async function runDemo(options: DemoOptions, context: CommandContext): Promise<void> {
  const service = await connectService(options, context);
  const now = await instantOf(service);
  const { seed, users, days, until = Math.floor(now / DAY_MS) * DAY_MS } = options;
  if (until > now) throw new CommandError(2, `--until lies ahead of the service's clock (${formatInstant(now)})`);
  const plan = { seed, users, days, until };
  const history = demoHistory(plan);
  if (history.length === 0)
    throw new CommandError(2, 'so few users in so few days make no events: choose more users or more days');
  await checkUsers(service, plan, history, options.force ?? false);
  const { recorded, known } = await sendHistory(service, history, context);
  const facts = await readNumbers(service, learnersOf(history), until);
  await printLines(context.stdout, [
    `${history.length} events of ${learnersOf(history).length} users, ${days} days until ${formatInstant(until)}`,
    `${recorded} recorded, ${known} already known`,
    '',
    ...demoSummary(facts),
    ...lookFurther(facts, addressOf(options, context), firstDate(plan), lastDate(plan)),
    ...(await inConsole(service)),
  ]);
}

/** A line with a link that signs in once, or nothing without a console. */
async function inConsole(service: ServiceConnection): Promise<string[]> {
  const link = await service
    .ask((client, settings) => client.POST('/admin/v1/console-links', { body: {}, ...settings }))
    .catch(() => null);
  return link === null ? [] : ['', `Or in the console: ${plainText(link.url)}`];
}

/** @throws CommandError with exit code 2 if the service holds other data. */
async function checkUsers(
  service: ServiceConnection,
  plan: DemoPlan,
  history: readonly DemoEvent[],
  force: boolean,
): Promise<void> {
  const users = await countUsers(service);
  if (users === null)
    throw new CommandError(
      2,
      'the service runs with another configuration than the demo’s: start one without LAUREL_CONFIG in a new LAUREL_DATA_DIR',
    );
  if (users === 0 || force) return;
  const others = users - (await countUsersOfRun(service, learnersOf(history), runOf(plan)));
  if (others > 0)
    throw new CommandError(
      2,
      `the service holds ${others} other ${others === 1 ? 'user' : 'users'}: the demo’s would stand among them for good, on boards and in percentages\n` +
        'Start a service with another LAUREL_DATA_DIR for it, or say --force.',
    );
}

/** Ids of users, in the order of their first events. */
const learnersOf = (history: readonly DemoEvent[]): string[] => [...new Set(history.map(({ user }) => user.id))];

const firstDate = ({ until, days }: DemoPlan) => localDate(until - days * DAY_MS, 'UTC');

const lastDate = ({ until }: DemoPlan) => localDate(until - 1, 'UTC');

/** The address of the service for the printed commands, as far as the command line knows it. */
const addressOf = ({ url }: ServiceOptions, { variables }: CommandContext): string =>
  (url ?? `http://127.0.0.1:${readEnvironment(variables).port}`).replace(/\/+$/, '');
