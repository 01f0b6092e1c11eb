import { isIP } from 'node:net';
import { credentials } from '@grpc/grpc-js';

type ConnectorOf = (...args: unknown[]) => { readonly connectionOptions?: { servername?: string } };

let allowed = false;

/**
 * Lets the client connect with TLS to a server that is named by its IP address. grpc-js passes the address to Node as the server name, which
 * RFC 6066 forbids and Node 26 refuses. Without a server name, Node checks the certificate against the address. Takes effect once for the
 * whole process.
 */
export function allowTlsToAddresses(): void {
  if (allowed) return;
  allowed = true;
  const secure = Object.getPrototypeOf(credentials.createSsl()) as { _createSecureConnector: ConnectorOf };
  const create = secure._createSecureConnector;
  secure._createSecureConnector = function (this: unknown, ...args) {
    const connector = create.apply(this, args);
    const { connectionOptions } = connector;
    if (connectionOptions?.servername !== undefined && isIP(connectionOptions.servername) !== 0)
      delete connectionOptions.servername;
    return connector;
  };
}
