/** Every code of this room, with its meaning in a line. Codes are stable; a retired one is not used again. */
export const SERVER_CODES = {
  MCP001: 'a comment or trailing comma, which other tools may refuse',
  MCP002: 'text that is not JSON, or a file that cannot be read',
  MCP003: 'a key that is set twice in one object',
  MCP004: 'a reserved key: __proto__, constructor or prototype',
  MCP005: 'a server without a command, or with both command and url',
  MCP006: 'a command line where the name of a program belongs',
  MCP007: 'an argument or environment value that is no text',
  MCP013: 'a server that is not spoken to over stdio',
  MCP014: 'a variable that is not set, or not known',
  MCP015: 'a working directory that does not exist',
  MCP016: 'a value of the wrong type',
  MCP017: 'a file over 1 MiB, nested deeper than 64 levels, or not UTF-8 text',
  SUITE006: 'a server that is defined nowhere',
  SUITE013: 'an environment variable that is not set',
  SERVER001: 'the command does not exist or cannot be started',
  SERVER002: 'the working directory does not exist',
  SERVER003: 'the command is not executable',
  SERVER004: 'the process ended before its tools were listed',
  SERVER005: 'no answer in time while starting',
  SERVER006: 'the handshake failed',
  SERVER007: 'the tool list cannot be used',
  SERVER008: 'two tools of one name',
  SERVER009: 'the process died twice in one trial',
} as const;

export type ServerCode = keyof typeof SERVER_CODES;
