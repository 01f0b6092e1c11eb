// Listeners with TLS for a broker of tests: one for a user with a password, one for client certificates, one for OAuth tokens.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const STORE_PASSWORD = 'of no secret';
const USERNAME = 'laurel';
const PASSWORD = 'a password: of the test broker';
const SECURITY = 'org.apache.kafka.common.security';

/**
 * @typedef {object} SecuredListener
 * @property {readonly string[]} brokers host:port, for SASL with the user below
 * @property {string} certificate of the broker, PEM
 * @property {string} username for PLAIN and SCRAM-SHA-512
 * @property {string} password
 * @property {readonly string[]} mutual host:port, for clients with a certificate
 * @property {readonly string[]} bearer host:port, for SASL OAUTHBEARER
 * @property {Readonly<Record<string, string>>} settings of the broker
 * @property {Readonly<Record<string, string>>} added values that are appended to other settings of the broker
 * @property {readonly string[]} formatting arguments
 * @property {readonly string[]} java options of the broker's process
 *
 * @typedef {object} KnownClients
 * @property {string} [authority] PEM; client certificates that this authority has signed are accepted
 * @property {{ jwksUrl: string, issuer: string, audience: string }} [tokens] the tokens that are accepted
 *
 * @param {string} dataDir
 * @param {{ secured: number, mutual: number, bearer: number }} ports `mutual` and `bearer`: for the given clients
 * @param {KnownClients} clients
 * @returns {SecuredListener}
 */
export function makeSecuredListener(dataDir, ports, { authority, tokens }) {
  const store = makeKeyStore(dataDir);
  const listeners = [
    passwordListener(),
    ...(authority === undefined ? [] : [mutualListener(dataDir, authority)]),
    ...(tokens === undefined ? [] : [bearerListener(tokens)]),
  ];
  const addressOf = ({ name }) => `${name}://127.0.0.1:${ports[name.toLowerCase()]}`;
  const settingsOf = ({ name, settings }) =>
    Object.entries({ ...store.settings, ...settings }).map(([setting, value]) => [
      `listener.name.${name.toLowerCase()}.${setting}`,
      value,
    ]);
  return {
    brokers: [`127.0.0.1:${ports.secured}`],
    certificate: store.certificate,
    username: USERNAME,
    password: PASSWORD,
    mutual: [`127.0.0.1:${ports.mutual}`],
    bearer: [`127.0.0.1:${ports.bearer}`],
    settings: Object.fromEntries(listeners.flatMap(settingsOf)),
    added: {
      listeners: listeners.map(addressOf).join(','),
      'advertised.listeners': listeners.map(addressOf).join(','),
      'listener.security.protocol.map': listeners.map(({ name, protocol }) => `${name}:${protocol}`).join(','),
    },
    formatting: ['--add-scram', `SCRAM-SHA-512=[name=${USERNAME},password=${PASSWORD}]`],
    java: tokens === undefined ? [] : [`-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=${tokens.jwksUrl}`],
  };
}

const passwordListener = () => ({
  name: 'SECURED',
  protocol: 'SASL_SSL',
  settings: {
    'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-512',
    'plain.sasl.jaas.config': `${SECURITY}.plain.PlainLoginModule required user_${USERNAME}="${PASSWORD}";`,
    'scram-sha-512.sasl.jaas.config': `${SECURITY}.scram.ScramLoginModule required;`,
  },
});

function mutualListener(dataDir, authority) {
  const trusted = join(dataDir, 'clients.pem');
  writeFileSync(trusted, authority);
  return {
    name: 'MUTUAL',
    protocol: 'SSL',
    settings: { 'ssl.client.auth': 'required', 'ssl.truststore.type': 'PEM', 'ssl.truststore.location': trusted },
  };
}

/** Sessions end after 12 s whatever a token says, so clients must authenticate again before that. */
const bearerListener = ({ jwksUrl, issuer, audience }) => ({
  name: 'BEARER',
  protocol: 'SASL_SSL',
  settings: {
    'sasl.enabled.mechanisms': 'OAUTHBEARER',
    'oauthbearer.connections.max.reauth.ms': 12_000,
    'oauthbearer.sasl.jaas.config': `${SECURITY}.oauthbearer.OAuthBearerLoginModule required;`,
    'oauthbearer.sasl.server.callback.handler.class': `${SECURITY}.oauthbearer.OAuthBearerValidatorCallbackHandler`,
    'oauthbearer.sasl.oauthbearer.jwks.endpoint.url': jwksUrl,
    'oauthbearer.sasl.oauthbearer.expected.issuer': issuer,
    'oauthbearer.sasl.oauthbearer.expected.audience': audience,
  },
});

function makeKeyStore(dataDir) {
  mkdirSync(dataDir, { recursive: true });
  for (const file of ['broker.p12', 'broker.pem']) rmSync(join(dataDir, file), { force: true });
  const store = join(dataDir, 'broker.p12');
  const certificate = join(dataDir, 'broker.pem');
  const access = ['-alias', 'broker', '-keystore', store, '-storetype', 'PKCS12', '-storepass', STORE_PASSWORD];
  const subject = ['-dname', 'CN=broker', '-ext', 'san=ip:127.0.0.1', '-validity', '2'];
  keytool('-genkeypair', '-keyalg', 'EC', ...access, ...subject);
  keytool('-exportcert', '-rfc', '-file', certificate, ...access);
  return {
    certificate: readFileSync(certificate, 'utf8'),
    settings: {
      'ssl.keystore.location': store,
      'ssl.keystore.type': 'PKCS12',
      'ssl.keystore.password': STORE_PASSWORD,
    },
  };
}

function keytool(...args) {
  const { status, stdout, stderr } = spawnSync('keytool', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`no certificate for the broker: ${stdout}${stderr}`);
}
