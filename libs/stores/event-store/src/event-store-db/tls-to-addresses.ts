import { isIP } from 'node:net';
import { credentials } from '@grpc/grpc-js';

type ConnectorOf = (...args: unknown[]) => { readonly connectionOptions?: { servername?: string } };

let allowed = false;

/**
 * Lets the client connect with TLS to a server that is named by its address, or that a cluster names so. grpc-js gives the address to
 * Node as the name of the server, which RFC 6066 forbids and Node 26 refuses. Without a name, Node holds the certificate to the address.
 * Once for the whole process.
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
