import { Inject, Injectable, type PipeTransform } from '@nestjs/common';
import { type ApiCall, Call } from '@laurel/runtime';
import { BOUNDED_QUERY_PORTS, QUERY_PORTS, type QueryPorts } from './ports.ts';

/** The call of a read, with the ports that answer it. `Name` is the union of its path parameters. */
export interface ReadCall<Name extends string = never> extends ApiCall<Name> {
  readonly ports: QueryPorts;
}

/** Answers browser sessions over a separate small pool, so that applications never wait for them. */
@Injectable()
class PortsOfCaller implements PipeTransform<ApiCall<string>, ReadCall<string>> {
  readonly #ports: QueryPorts;
  readonly #bounded: QueryPorts;

  constructor(@Inject(QUERY_PORTS) ports: QueryPorts, @Inject(BOUNDED_QUERY_PORTS) bounded: QueryPorts) {
    this.#ports = ports;
    this.#bounded = bounded;
  }

  transform(call: ApiCall<string>): ReadCall<string> {
    return { ...call, ports: call.bySession ? this.#bounded : this.#ports };
  }
}

/** The call, as a controller method's argument. */
export const Read = () => Call(PortsOfCaller);
