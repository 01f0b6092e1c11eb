import { createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

/** A certificate and its key, made without system programs. */
export interface TestCertificate {
  /** In PEM. */
  readonly certificate: string;
  readonly key: KeyObject;
  readonly name: string;
}

interface CertificateOptions {
  /** The issuer. Default: the certificate signs itself, and is an authority. */
  readonly signedBy?: TestCertificate;
  /** The instant in the middle of the two days of validity. Default: now. */
  readonly validAround?: number;
  /** Uses the key of this certificate. Default: a new key. */
  readonly keyOf?: TestCertificate;
}

let made = 0;
const DAY_MS = 86_400_000;
const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));

/** Makes an X.509 certificate (RFC 5280) with an elliptic curve. */
export function makeTestCertificate(name: string, options: CertificateOptions = {}): TestCertificate {
  const { signedBy, validAround = Date.now() } = options;
  const privateKey = options.keyOf?.key ?? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const isAuthority = sequence(
    sequence(oid('551d13'), der(0x01, Buffer.from([0xff])), octets(sequence(der(0x01, Buffer.from([0xff]))))),
  );
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([++made % 127])),
    ECDSA_WITH_SHA256,
    nameOf(signedBy?.name ?? name),
    sequence(time(validAround - DAY_MS), time(validAround + DAY_MS)),
    nameOf(name),
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    ...(signedBy ? [] : [der(0xa3, isAuthority)]),
  );
  const signature = sign('sha256', body, signedBy?.key ?? privateKey);
  const certificate = sequence(body, ECDSA_WITH_SHA256, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return { certificate: pem(certificate), key: privateKey, name };
}

const nameOf = (name: string): Buffer => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));
const pem = (bytes: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()}\n-----END CERTIFICATE-----\n`;

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function octets(content: Buffer): Buffer {
  return der(0x04, content);
}

function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
