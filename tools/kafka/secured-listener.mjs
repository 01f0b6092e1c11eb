// A listener with TLS and SASL for a broker of tests: a certificate of its own, and one user.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'SECURED';
const PREFIX = `listener.name.${NAME.toLowerCase()}`;
const STORE_PASSWORD = 'of no secret';
const USERNAME = 'laurel';
const PASSWORD = 'a password: of the test broker';

/**
 * @typedef {object} SecuredListener
 * @property {readonly string[]} brokers host:port
 * @property {string} certificate by which the broker proves who it is, PEM
 * @property {string} username known for PLAIN and SCRAM-SHA-512
 * @property {string} password
 * @property {Readonly<Record<string, string>>} settings of the broker
 * @property {Readonly<Record<string, string>>} added behind what is in these settings
 * @property {readonly string[]} formatting arguments
 *
 * @param {string} dataDir
 * @param {number} port
 * @returns {SecuredListener}
 */
export function makeSecuredListener(dataDir, port) {
  mkdirSync(dataDir, { recursive: true });
  for (const file of ['broker.p12', 'broker.pem']) rmSync(join(dataDir, file), { force: true });
  const store = join(dataDir, 'broker.p12');
  const certificate = join(dataDir, 'broker.pem');
  const access = ['-alias', 'broker', '-keystore', store, '-storetype', 'PKCS12', '-storepass', STORE_PASSWORD];
  const subject = ['-dname', 'CN=broker', '-ext', 'san=ip:127.0.0.1', '-validity', '2'];
  keytool('-genkeypair', '-keyalg', 'EC', ...access, ...subject);
  keytool('-exportcert', '-rfc', '-file', certificate, ...access);
  const address = `${NAME}://127.0.0.1:${port}`;
  const jaas = 'org.apache.kafka.common.security';
  return {
    brokers: [`127.0.0.1:${port}`],
    certificate: readFileSync(certificate, 'utf8'),
    username: USERNAME,
    password: PASSWORD,
    settings: {
      [`${PREFIX}.ssl.keystore.location`]: store,
      [`${PREFIX}.ssl.keystore.type`]: 'PKCS12',
      [`${PREFIX}.ssl.keystore.password`]: STORE_PASSWORD,
      [`${PREFIX}.sasl.enabled.mechanisms`]: 'PLAIN,SCRAM-SHA-512',
      [`${PREFIX}.plain.sasl.jaas.config`]: `${jaas}.plain.PlainLoginModule required user_${USERNAME}="${PASSWORD}";`,
      [`${PREFIX}.scram-sha-512.sasl.jaas.config`]: `${jaas}.scram.ScramLoginModule required;`,
    },
    added: {
      listeners: address,
      'advertised.listeners': address,
      'listener.security.protocol.map': `${NAME}:SASL_SSL`,
    },
    formatting: ['--add-scram', `SCRAM-SHA-512=[name=${USERNAME},password=${PASSWORD}]`],
  };
}

function keytool(...args) {
  const { status, stdout, stderr } = spawnSync('keytool', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`no certificate for the broker: ${stdout}${stderr}`);
}
