import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { problemOf } from '@laurel/schemas';
import { PROBLEM_TYPE } from './problem-reply.ts';

/**
 * With `Expect: 100-continue`, a client sends its body only when asked. It is asked when the body is first read, so a
 * request that is refused for its key or length never sends one. Other expectations are refused.
 */
export function judgeExpectations(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    askWhenRead(request, response);
    server.emit('request', request, response);
  });
  // Node's own answer has no body.
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    const problem = problemOf('expectation_failed', 'Only Expect: 100-continue is understood.');
    const body = JSON.stringify(problem);
    const headers = { 'content-type': PROBLEM_TYPE, 'content-length': Buffer.byteLength(body), connection: 'close' };
    response.writeHead(problem.status, headers).end(body);
  });
}

function askWhenRead(request: IncomingMessage, response: ServerResponse): void {
  const { shouldKeepAlive } = response;
  const read = request._read.bind(request);
  request._read = (size) => {
    request._read = read;
    if (!response.headersSent) {
      response.shouldKeepAlive = shouldKeepAlive;
      response.writeContinue();
    }
    read(size);
  };
  // If it is not asked, the client may send the body or not, so the next bytes on the connection would be ambiguous.
  response.shouldKeepAlive = false;
}
