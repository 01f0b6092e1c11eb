import type { Clock } from '@laurel/ports';
import type { Mechanism } from 'kafkajs';
import { OAuthTokenError, OAuthTokens, type OAuthSettings } from './oauth-token.ts';

/** SASL OAUTHBEARER (RFC 7628). */
export interface KafkaOAuth extends OAuthSettings {
  readonly mechanism: 'oauthbearer';
  /** SASL extensions, such as `logicalCluster`. */
  readonly extensions: Readonly<Record<string, string>>;
}

const SEPARATOR = '\u0001';

/** Replaces kafkajs's own mechanism, which ignores the broker's answer, so that a refused token looks like a closed connection. */
export function oauthBearer({ extensions, ...settings }: KafkaOAuth, clock: Clock): Mechanism {
  const tokens = new OAuthTokens(settings, clock);
  const fields = Object.entries(extensions).map(([name, value]) => `${name}=${value}`);
  const messageOf = (token: string): string => {
    const parts = ['n,,', `auth=Bearer ${token}`, ...fields];
    return `${parts.join(SEPARATOR)}${SEPARATOR}${SEPARATOR}`;
  };
  return {
    mechanism: 'oauthbearer',
    authenticationProvider: ({ saslAuthenticate }) => {
      /** Ends the exchange; otherwise kafkajs would start again on the same connection, which the broker treats as a fault. */
      const giveUp = async (reason: unknown): Promise<never> => {
        await saslAuthenticate({ request: bytes(SEPARATOR) }).catch(() => undefined);
        throw reason;
      };
      return {
        authenticate: async () => {
          const token = await tokens.current().catch(giveUp);
          const challenge = await saslAuthenticate({ request: bytes(messageOf(token)), response: TEXT });
          if (challenge)
            await giveUp(new OAuthTokenError('TOKEN_REFUSED', `the brokers refuse the token: ${challenge}`));
        },
      };
    },
  };
}

/** A SASL request: length and bytes. */
function bytes(text: string): { encode: () => Buffer } {
  const length = Buffer.alloc(4);
  length.writeInt32BE(Buffer.byteLength(text));
  return { encode: () => Buffer.concat([length, Buffer.from(text)]) };
}

const TEXT = {
  decode: (answer: Buffer): Buffer => answer.subarray(4),
  parse: (answer: Buffer): string =>
    answer
      .toString()
      .replace(/[^\x20-\x7e]/g, ' ')
      .slice(0, 200),
};
