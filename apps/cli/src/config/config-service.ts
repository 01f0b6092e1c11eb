import type {
  ConfigurationPlanAnswer,
  ConfigurationVersionAnswer,
  PublishedConfigurationAnswer,
} from '@laurel/schemas';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { plainText } from '../plain-text.ts';
import { connectService, type ServiceConnection } from '../service/service-connection.ts';
import { RefusedError } from '../service/service-error.ts';
import type { ServiceOptions } from '../service/service-options.ts';

/** What the commands ask of a running service. */
export class ConfigService {
  readonly #connection: ServiceConnection;

  private constructor(connection: ServiceConnection) {
    this.#connection = connection;
  }

  /** @throws CommandError as {@link connectService} does. */
  static async connect(options: ServiceOptions, context: CommandContext): Promise<ConfigService> {
    return new ConfigService(await connectService(options, context));
  }

  /** @param text YAML or JSON */
  plan(text: string): Promise<ConfigurationPlanAnswer> {
    return this.#connection.ask((client, settings) =>
      client.POST('/admin/v1/configurations/plan', { body: { text }, ...settings }),
    );
  }

  /** `accept`: the document is also recorded as the file last published from. `plan`: only if what is in force is what was planned against. */
  publish(
    text: string,
    options: { readonly plan: string; readonly accept?: true; readonly reason?: string },
  ): Promise<PublishedConfigurationAnswer> {
    return this.#connection.ask((client, settings) =>
      client.POST('/admin/v1/configurations', { body: { text, ...options }, ...settings }),
    );
  }

  history(): Promise<ConfigurationVersionAnswer[]> {
    return this.#connection.ask((client, settings) => client.GET('/admin/v1/configurations', settings));
  }

  /** @throws CommandError with exit code 2 if there is no such version. */
  version(version: string): Promise<PublishedConfigurationAnswer> {
    return this.#connection
      .ask((client, settings) =>
        client.GET('/admin/v1/configurations/{version}', { params: { path: { version } }, ...settings }),
      )
      .catch((error: unknown) => {
        if (error instanceof RefusedError && error.code === 'unknown_configuration')
          throw new CommandError(2, `there is no version ${plainText(version)}: config history shows them`);
        throw error;
      });
  }
}
