import { McproveError } from '../errors.ts';
import type { ServerCode } from './codes.ts';
import type { ServerDefinition } from './connection.ts';

type Cause = { hint?: string; cause?: unknown };

/** A server that cannot be used: it did not start, shake hands (`connect`) or list its tools (`discover`). */
export class ServerStartError extends McproveError {
  readonly server: string;
  readonly stage: 'connect' | 'discover';

  constructor(
    code: ServerCode,
    definition: ServerDefinition,
    stage: 'connect' | 'discover',
    text: string,
    more: Cause = {},
  ) {
    super(code, `server "${definition.name}" ${text}`, place(definition, more));
    this.name = 'ServerStartError';
    this.server = definition.name;
    this.stage = stage;
  }
}

/** A server that died for the second time under one lease (SERVER009). */
export class ServerDiedError extends McproveError {
  readonly server: string;
  readonly stage = 'call';

  constructor(definition: ServerDefinition, text: string) {
    super(
      'SERVER009',
      text,
      place(definition, { hint: 'It was restarted once and died again; look for the cause in its stderr or its log.' }),
    );
    this.name = 'ServerDiedError';
    this.server = definition.name;
  }
}

function place(definition: ServerDefinition, more: Cause): Cause & { range?: NonNullable<ServerDefinition['range']> } {
  return definition.range === undefined ? more : { ...more, range: definition.range };
}
