import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Instant } from '@laurel/calendar';
import { errorCode } from '@laurel/ports';
import type { KafkaOAuth, KafkaSettings } from '@laurel/event-stream';
import { EnvironmentError, type Environment } from '@laurel/runtime';

const CERT = 'LAUREL_KAFKA_CLIENT_CERT';
const KEY = 'LAUREL_KAFKA_CLIENT_KEY';
const PASSPHRASE = 'LAUREL_KAFKA_CLIENT_KEY_PASSPHRASE';
const TOKEN_URL = 'LAUREL_KAFKA_OAUTH_TOKEN_URL';
const CLIENT_ID = 'LAUREL_KAFKA_OAUTH_CLIENT_ID';
const CLIENT_SECRET = 'LAUREL_KAFKA_OAUTH_CLIENT_SECRET';

/** The TLS settings and the credentials of connections to the brokers. @throws EnvironmentError */
export function kafkaSecurity(environment: Environment, now: Instant): Pick<KafkaSettings, 'tls' | 'sasl'> {
  const problems = [...problemsOfCertificate(environment), ...problemsOfOAuth(environment)];
  if (problems.length > 0) throw new EnvironmentError(problems);
  return {
    tls: environment.kafkaTls ? tlsOf(environment, now) : null,
    sasl: oauthOf(environment) ?? environment.kafkaSasl,
  };
}

function problemsOfCertificate(environment: Environment): readonly string[] {
  const { kafkaTls, kafkaClientCert, kafkaClientKey, kafkaClientKeyPassphrase } = environment;
  if (kafkaClientCert === null && kafkaClientKey !== null) return [`${CERT} must be given with ${KEY}`];
  if (kafkaClientKey === null && kafkaClientCert !== null) return [`${KEY} must be given with ${CERT}`];
  if (kafkaClientKey === null && kafkaClientKeyPassphrase !== null) return [`${KEY} must be given with ${PASSPHRASE}`];
  if (kafkaClientKey !== null && !kafkaTls) return [`${CERT} has no effect without LAUREL_KAFKA_TLS=true: set it`];
  return [];
}

function problemsOfOAuth(environment: Environment): readonly string[] {
  const { kafkaOAuthTokenUrl, kafkaOAuthClientId, kafkaOAuthClientSecret, kafkaSasl } = environment;
  if (kafkaOAuthTokenUrl !== null) {
    if (kafkaSasl !== null) return [`LAUREL_KAFKA_SASL and ${TOKEN_URL} exclude each other: unset one of them`];
    const needed = { [CLIENT_ID]: kafkaOAuthClientId, [CLIENT_SECRET]: kafkaOAuthClientSecret };
    return Object.entries(needed)
      .filter(([, value]) => value === null)
      .map(([name]) => `${name} must be given with ${TOKEN_URL}`);
  }
  const idle = {
    [CLIENT_ID]: kafkaOAuthClientId,
    [CLIENT_SECRET]: kafkaOAuthClientSecret,
    LAUREL_KAFKA_OAUTH_SCOPE: environment.kafkaOAuthScope,
    LAUREL_KAFKA_OAUTH_AUDIENCE: environment.kafkaOAuthAudience,
    LAUREL_KAFKA_OAUTH_EXTENSIONS: environment.kafkaOAuthExtensions,
  };
  return Object.entries(idle)
    .filter(([, value]) => value !== null)
    .map(([name]) => `${TOKEN_URL} must be given with ${name}`);
}

/** Reads the files for each connection, so that they can be replaced without a restart. */
function tlsOf(environment: Environment, now: Instant): KafkaSettings['tls'] {
  const { kafkaClientCert, kafkaClientKey, kafkaClientKeyPassphrase } = environment;
  if (kafkaClientCert === null || kafkaClientKey === null) return {};
  const read = () => {
    const certificate = readPem(CERT, kafkaClientCert);
    const passphrase = kafkaClientKeyPassphrase ?? undefined;
    return { certificate, key: readPem(KEY, kafkaClientKey), passphrase };
  };
  checkCertificate(read(), now);
  return () => {
    const { certificate, ...key } = read();
    return { cert: certificate, ...key };
  };
}

interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
  readonly passphrase: string | undefined;
}

/** Checks the certificate and its key, because the brokers would only reject a bad certificate without a reason. */
function checkCertificate({ certificate, key, passphrase }: ClientCertificate, now: Instant): void {
  const present = certificateOf(certificate);
  if (!present.checkPrivateKey(keyOf(key, passphrase)))
    throw new EnvironmentError([`${KEY} does not belong to the certificate of ${CERT}`]);
  if (Date.parse(present.validTo) < now)
    throw new EnvironmentError([`${CERT} names a certificate that expired on ${present.validTo}`]);
}

function readPem(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new EnvironmentError([`${name} names a file that cannot be read: ${errorCode(error) ?? 'unknown'}`]);
  }
}

function certificateOf(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new EnvironmentError([`${CERT} must name a PEM file that begins with the certificate`]);
  }
}

function keyOf(pem: string, passphrase: string | undefined): KeyObject {
  try {
    return createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }) });
  } catch (error) {
    if (passphrase === undefined && /ENCRYPTED/.test(pem))
      throw new EnvironmentError([`${PASSPHRASE} must be given: the key of ${KEY} is encrypted`]);
    if (errorCode(error) === 'ERR_OSSL_BAD_DECRYPT')
      throw new EnvironmentError([`${PASSPHRASE} does not open the key of ${KEY}`]);
    throw new EnvironmentError([`${KEY} must name a PEM file with a private key`]);
  }
}

function oauthOf(environment: Environment): KafkaOAuth | null {
  const { kafkaOAuthTokenUrl, kafkaOAuthClientId, kafkaOAuthClientSecret } = environment;
  if (kafkaOAuthTokenUrl === null || kafkaOAuthClientId === null || kafkaOAuthClientSecret === null) return null;
  return {
    mechanism: 'oauthbearer',
    tokenUrl: kafkaOAuthTokenUrl,
    clientId: kafkaOAuthClientId,
    clientSecret: kafkaOAuthClientSecret,
    scope: environment.kafkaOAuthScope,
    audience: environment.kafkaOAuthAudience,
    extensions: environment.kafkaOAuthExtensions ?? {},
  };
}
