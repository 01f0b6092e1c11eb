import type { DelivererDependencies } from '@laurel/gateways';
import type { ProcessFrame } from '@laurel/processes';
import { EnvironmentError } from '@laurel/runtime';
import { deliverySettings, SecretBox, Webhooks } from '@laurel/webhooks';

/**
 * Returns a function that opens the webhooks of an account and starts to deliver.
 * @throws EnvironmentError without LAUREL_SECRETS_KEY, because this process has no folder for a key
 */
export function deliverBy({ environment, clock, logger }: ProcessFrame, account: string) {
  const { secretsKey } = environment;
  if (secretsKey === null)
    throw new EnvironmentError([
      'LAUREL_SECRETS_KEY must be given: any text of at least 24 characters, by which the secrets of webhooks are encrypted',
    ]);
  const settings = {
    clock,
    account,
    box: new SecretBox(() => secretsKey),
    ...deliverySettings(environment, logger, clock),
  };
  return async (dependencies: DelivererDependencies): Promise<Webhooks> => {
    const webhooks = await Webhooks.open({ ...dependencies, ...settings });
    await webhooks.start();
    return webhooks;
  };
}
