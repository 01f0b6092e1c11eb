import type { Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { withHelp } from '../help-text.ts';
import { serviceCommand } from '../service/service-options.ts';
import { wholeNumber } from '../terminal/whole-number.ts';
import type { RequestOptions, SpendOptions } from './request-points.ts';

export const spendCommand = (context: CommandContext): Command =>
  withHelp(
    withRequestOptions(
      serviceCommand('spend', 'Takes points that a user spends: all of the amount, or nothing if the user has fewer.')
        .argument('<user>', 'the user’s id')
        .argument('<system>', 'key of the points system')
        .argument('<amount>', 'whole points', points),
    )
      .option('--reference <text>', 'your own name for the purchase, in up to 255 characters (default: none)')
      .option('--json', 'the answer of POST /v1/users/{id}/points/{key}/spend as it is (default: for people)')
      .action(async (user: string, system: string, amount: number, options: SpendOptions) =>
        (await import('./request-points.ts')).spendPoints({ user, system, amount }, options, context),
      ),
    {
      notes: [SAFE, 'With --url the key needs the scope ingest.'],
      no: 'refused: the user has too few points; the refusal has used the key',
      examples: ['spend ada gems 120 --key order-4711 --reason "A hat" --reference order-4711'],
    },
  );

export const refundCommand = (context: CommandContext): Command =>
  withHelp(
    withRequestOptions(
      serviceCommand('refund', 'Gives back what a spend took, or a part of it.')
        .argument('<user>', 'the user’s id')
        .argument('<spend>', 'id of the spend, as its answer named it')
        .argument('[amount]', 'whole points (default: what is left of the spend)', points),
    )
      .option('--json', 'the answer of POST /v1/users/{id}/points/{key}/spends/{eventId}/refund (default: for people)')
      .action(async (user: string, spend: string, amount: number | undefined, options: RequestOptions) =>
        (await import('./request-points.ts')).refundSpend({ user, spend, amount }, options, context),
      ),
    {
      notes: [SAFE, 'With --url the key needs the scopes ingest and read, which finds the points system of the spend.'],
      no: 'refused: less than that is left of the spend; the refusal has used the key',
      examples: [
        'refund ada 0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a --key cancel-4711 --reason "The order was cancelled"',
        'refund ada 0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a 20 --key discount-4711',
      ],
    },
  );

const points = wholeNumber(1);

const SAFE = 'The same key gives the same answer for ever, so it is safe to run the command again.';

const withRequestOptions = (command: Command): Command =>
  command
    .requiredOption('--key <key>', 'the idempotency key; the same key again changes nothing (required)')
    .option('--reason <text>', 'what for, in up to 200 characters; erased with the user (default: none)');
